; The installer for Windows. packaging/installer.py runs makensis with these names:
; PROGRAM, LICENCE, LICENCES, PARTS, ICON, SIDE (files), VERSION, NUMBERS (of the version, such as 0.4.0.0), SIZE (kB), TO.
; It is for the user who runs it, needs no administrator, and never touches the data folder.
; Exit codes: 0 done, 1 cancelled, 2 cancelled or the writing of a file beside the program aborted, and these:
!define RUNNING 3
!define OLDER 4
!define CANNOT_WRITE 5
!define UNFIT 6

Target amd64-unicode
SetCompressor zlib ; the program is compressed already
SetDateSave off    ; the same files give the same installer
RequestExecutionLevel user
ManifestSupportedOS Win10
ManifestDPIAware true
Name "erp"
OutFile "${TO}"
BrandingText "erp ${VERSION}"
!define APPS "Software\Microsoft\Windows\CurrentVersion\Uninstall\erp"
!define PATHS "Software\Microsoft\Windows\CurrentVersion\App Paths\erp.exe"
!define DATA "$LOCALAPPDATA\erp"
!define TASK "${DATA}\erp-task.xml" ; by `erp service install`
InstallDir "$LOCALAPPDATA\Programs\erp"
InstallDirRegKey HKCU "${APPS}" "InstallLocation"

VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "erp"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "erp, business management for a small office: installer"
VIAddVersionKey "CompanyName" "The erp authors"
VIAddVersionKey "LegalCopyright" "The erp authors, MIT licence"

!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include WordFunc.nsh

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${SIDE}"
!define MUI_ABORTWARNING
!define MUI_WELCOMEPAGE_TEXT "$(Welcome)"
!define MUI_LICENSEPAGE_BUTTON "$(Next)"
!define MUI_LICENSEPAGE_TEXT_BOTTOM "$(Licence)"
!define MUI_COMPONENTSPAGE_NODESC
!define MUI_FINISHPAGE_TEXT "$(Finished)"
!define MUI_FINISHPAGE_RUN "$INSTDIR\erp.exe"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!define MUI_UNCONFIRMPAGE_TEXT_TOP "$(Kept)"
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English" ; for every language that is not here
!insertmacro MUI_LANGUAGE "German"

LangString Welcome ${LANG_ENGLISH} "This installs erp ${VERSION} for you alone. It does not need an administrator.$\r$\n$\r$\nProgram: $INSTDIR$\r$\nYour data: ${DATA}$\r$\n$\r$\nThe data folder is not changed, neither now nor when you update or uninstall erp."
LangString Welcome ${LANG_GERMAN} "erp ${VERSION} wird nur für Sie installiert. Administratorrechte sind nicht nötig.$\r$\n$\r$\nProgramm: $INSTDIR$\r$\nIhre Daten: ${DATA}$\r$\n$\r$\nDer Datenordner wird nicht verändert, weder jetzt noch beim Aktualisieren oder Deinstallieren."
LangString Next ${LANG_ENGLISH} "&Next >"
LangString Next ${LANG_GERMAN} "&Weiter >"
LangString Licence ${LANG_ENGLISH} "erp is free software. The licences of all its parts are in the file licences.txt beside the program."
LangString Licence ${LANG_GERMAN} "erp ist freie Software. Die Lizenzen aller Bestandteile stehen in der Datei licences.txt neben dem Programm."
LangString SignIn ${LANG_ENGLISH} "Start erp when I sign in"
LangString SignIn ${LANG_GERMAN} "erp starten, wenn ich mich anmelde"
LangString Program ${LANG_ENGLISH} "erp (required)"
LangString Program ${LANG_GERMAN} "erp (erforderlich)"
LangString Finished ${LANG_ENGLISH} "erp ${VERSION} is installed. You find it in the Start menu.$\r$\n$\r$\nYour data: ${DATA}"
LangString Finished ${LANG_GERMAN} "erp ${VERSION} ist installiert. Sie finden es im Startmenü.$\r$\n$\r$\nIhre Daten: ${DATA}"
LangString Kept ${LANG_ENGLISH} "This removes the program. Your data in ${DATA} is kept. If you no longer need it, delete that folder yourself."
LangString Kept ${LANG_GERMAN} "Das Programm wird entfernt. Ihre Daten in ${DATA} bleiben erhalten. Wenn Sie sie nicht mehr brauchen, löschen Sie den Ordner selbst."
LangString Running ${LANG_ENGLISH} "erp is running. Close its window, then choose Retry."
LangString Running ${LANG_GERMAN} "erp läuft noch. Schließen Sie sein Fenster und wählen Sie dann „Wiederholen“."
LangString Older ${LANG_ENGLISH} "erp $0 is installed, which is newer than ${VERSION}. An older version may not be able to read your data, so nothing has been changed."
LangString Older ${LANG_GERMAN} "erp $0 ist installiert und neuer als ${VERSION}. Eine ältere Version kann Ihre Daten vielleicht nicht lesen. Deshalb wurde nichts geändert."
LangString CannotWrite ${LANG_ENGLISH} "$INSTDIR\erp.exe cannot be written. It may be read-only, or you may lack the rights. Nothing has been changed."
LangString CannotWrite ${LANG_GERMAN} "$INSTDIR\erp.exe kann nicht geschrieben werden. Vielleicht ist die Datei schreibgeschützt, oder Ihnen fehlt die Berechtigung. Es wurde nichts geändert."
LangString Unfit ${LANG_ENGLISH} "erp needs Windows 10 or newer."
LangString Unfit ${LANG_GERMAN} "erp benötigt Windows 10 oder neuer."
LangString NoService ${LANG_ENGLISH} "erp is installed, but it could not be set to start when you sign in. To see the reason, run in a command prompt: $\"$INSTDIR\erp.exe$\" service install"
LangString NoService ${LANG_GERMAN} "erp ist installiert, konnte aber nicht so eingerichtet werden, dass es bei Ihrer Anmeldung startet. Den Grund zeigt in einer Eingabeaufforderung: $\"$INSTDIR\erp.exe$\" service install"

!macro EndWith code message
    SetErrorLevel ${code}
    MessageBox MB_OK|MB_ICONEXCLAMATION "${message}" /SD IDOK
    Quit
!macroend

; A program that is running cannot be opened for writing: this is a sharing violation, 32, and anything else is about
; rights. Silently, the answer is Cancel.
!macro WaitForEnd seconds
    StrCpy $2 ${seconds}
    ${DoWhile} ${FileExists} "$INSTDIR\erp.exe"
        System::Call 'kernel32::CreateFileW(w "$INSTDIR\erp.exe", i 0x40000000, i 1, p 0, i 3, i 0, p 0) p .r1 ?e'
        Pop $0
        ${If} $1 != -1
            System::Call 'kernel32::CloseHandle(p r1)'
            ${Break}
        ${ElseIf} $0 <> 32
            !insertmacro EndWith ${CANNOT_WRITE} "$(CannotWrite)"
        ${ElseIf} $2 > 0
            IntOp $2 $2 - 1
            Sleep 1000
        ${ElseIf} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" /SD IDCANCEL IDCANCEL`
            SetErrorLevel ${RUNNING}
            Quit
        ${EndIf}
    ${Loop}
!macroend

; $3: the seconds that its server may take to end if the task starts this program; 0 if it starts another copy, or there
; is no task. The description is XML in UTF-16, with a line for the program.
!macro OwnTask un
Function ${un}OwnTask
    StrCpy $3 0
    ${${un}WordReplace} "$INSTDIR\erp.exe" "&" "&amp;" "+" $4
    ClearErrors
    FileOpen $1 "${TASK}" r
    ${IfNot} ${Errors}
        ${Do}
            FileReadUTF16LE $1 $2
            ${If} ${Errors}
                ${Break}
            ${EndIf}
            ${${un}WordFind} "$2" "<Command>$4</Command>" "E+1{" $0
            ${IfNot} ${Errors}
                StrCpy $3 20
                ${Break}
            ${EndIf}
            ClearErrors
        ${Loop}
        FileClose $1
    ${EndIf}
FunctionEnd
!macroend
!insertmacro OwnTask ""
!insertmacro OwnTask "un."

Section "$(Program)"
    SectionIn RO
    !insertmacro WaitForEnd 0
    SetOutPath "$INSTDIR"
    SetErrorLevel ${CANNOT_WRITE} ; if this is aborted, by a full disk or by the user
    File "/oname=erp.new" "${PROGRAM}"
    ; In one step: after a power cut, there is the old program or the new one. (1 replaces, 8 waits for the disk.)
    System::Call 'kernel32::MoveFileExW(w "$INSTDIR\erp.new", w "$INSTDIR\erp.exe", i 9) i .r0'
    ${If} $0 = 0
        Delete "$INSTDIR\erp.new"
        !insertmacro EndWith ${CANNOT_WRITE} "$(CannotWrite)"
    ${EndIf}
    SetErrorLevel -1 ; as if it had never been set
    File "/oname=LICENSE.txt" "${LICENCE}"
    File "/oname=licences.txt" "${LICENCES}"
    File "/oname=parts.cdx.json" "${PARTS}"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\erp.lnk" "$INSTDIR\erp.exe"
    WriteRegStr HKCU "${PATHS}" "" "$INSTDIR\erp.exe"
    WriteRegStr HKCU "${APPS}" "DisplayName" "erp"
    WriteRegStr HKCU "${APPS}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${APPS}" "Numbers" "${NUMBERS}"
    WriteRegStr HKCU "${APPS}" "Publisher" "The erp authors"
    WriteRegStr HKCU "${APPS}" "DisplayIcon" "$INSTDIR\erp.exe"
    WriteRegStr HKCU "${APPS}" "InstallLocation" "$INSTDIR"
    WriteRegStr HKCU "${APPS}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${APPS}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegStr HKCU "${APPS}" "Comments" "${DATA}"
    WriteRegDWORD HKCU "${APPS}" "EstimatedSize" ${SIZE}
    WriteRegDWORD HKCU "${APPS}" "NoModify" 1
    WriteRegDWORD HKCU "${APPS}" "NoRepair" 1
SectionEnd

; The program's own way; silently with /SIGNIN.
Section /o "$(SignIn)" SIGN_IN
    nsExec::ExecToLog '"$INSTDIR\erp.exe" service install'
    Pop $0
    ${If} $0 != 0
        MessageBox MB_OK|MB_ICONINFORMATION "$(NoService)" /SD IDOK
    ${EndIf}
SectionEnd

Function .onInit
    ${IfNot} ${AtLeastWin10} ; Windows itself refuses a 64-bit program that it cannot run
        !insertmacro EndWith ${UNFIT} "$(Unfit)"
    ${EndIf}
    ReadRegStr $0 HKCU "${APPS}" "Numbers"
    ${VersionCompare} "$0" "${NUMBERS}" $1
    ${If} $1 = 1
    ${AndIf} $0 != ""
        ReadRegStr $0 HKCU "${APPS}" "DisplayVersion"
        !insertmacro EndWith ${OLDER} "$(Older)"
    ${EndIf}
    Call OwnTask
    ${If} $3 > 0 ; with the user's own settings, which another `service install` would lose
        SectionSetText ${SIGN_IN} ""
    ${Else}
        ${GetParameters} $0
        ClearErrors
        ${GetOptions} $0 "/SIGNIN" $1
        ${IfNot} ${Errors}
            SectionSetFlags ${SIGN_IN} ${SF_SELECTED}
        ${EndIf}
    ${EndIf}
FunctionEnd

Function .onInstFailed
    Delete "$INSTDIR\erp.new"
FunctionEnd

; The task goes last, so that it is still there if the user cancels, with the user's own settings.
Section "Uninstall"
    Call un.OwnTask
    ${If} $3 > 0
        nsExec::ExecToLog '"$SYSDIR\schtasks.exe" /End /TN erp'
        Pop $0
    ${EndIf}
    !insertmacro WaitForEnd $3 ; a server whose task has been ended finishes its requests
    ${If} $3 > 0
        nsExec::ExecToLog '"$INSTDIR\erp.exe" service remove'
        Pop $0
        !insertmacro WaitForEnd $3 ; a virus scanner may still look at the program that has just run
    ${EndIf}
    ; File by file, and the folder only if it is empty then: a folder erp-data in it holds data.
    Delete "$INSTDIR\erp.exe"
    Delete "$INSTDIR\LICENSE.txt"
    Delete "$INSTDIR\licences.txt"
    Delete "$INSTDIR\parts.cdx.json"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\erp.lnk"
    DeleteRegKey HKCU "${PATHS}"
    DeleteRegKey HKCU "${APPS}"
SectionEnd
