// A photo of a phone is made smaller before it is sent: what it says can still be read, and a slow line carries it.
const MOST = 2000; // px of the longer side
const QUALITY = 0.85;

// The same file where it is no large image, or where the browser cannot read it.
export async function shrunk(file) {
  if (!file.type.startsWith("image/")) return file;
  const image = await createImageBitmap(file).catch(() => null);
  const factor = image ? MOST / Math.max(image.width, image.height) : 1;
  if (factor >= 1) return file;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(image.width * factor), Math.round(image.height * factor)];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  return blob && blob.size < file.size ? new File([blob], file.name.replace(/\.\w+$/, "") + ".jpg", JPEG) : file;
}

const JPEG = { type: "image/jpeg" };
