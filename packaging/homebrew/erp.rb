class Erp < Formula
  desc "Business management for a small office: one program, one folder of files"
  homepage "@HOME@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    depends_on arch: :arm64
    depends_on macos: :monterey
    url "@ADDRESS@/@FILE macos-arm64@"
    sha256 "@SHA256 macos-arm64@"
  end

  on_linux do
    depends_on arch: :x86_64
    url "@ADDRESS@/@FILE linux-x86_64@"
    sha256 "@SHA256 linux-x86_64@"
  end

  def install
    bin.install Dir["erp-*"].first => "erp"
  end

  def caveats
    <<~TEXT
      Your data is in the folder that `erp` names when it starts. Updates and uninstalling do not change it.
      Stop erp before you update it.
      To start it when you sign in, run `erp service install`, and again after each update. Run `erp service remove`
      before you uninstall it.
    TEXT
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/erp version")
  end
end
