// The words by which a screen among the settings is found, by its address, in addition to its name: words of both languages.
export const SCREEN_WORDS = {
  "/settings/paper": "letterhead, layout, Briefkopf, branding, template, Briefpapier, Vorlage, Layout, Logo, Farbe",
  "/settings/texts": "templates, e-mail texts, Textbausteine, Vorlagen, E-Mail-Texte, Anschreiben",
  "/settings/reminder-levels": "dunning levels, Mahnstufen, Mahngebühr",
  "/settings/base-rates": "base rate, late interest, Basiszinssatz, Verzugszinsen",
  "/settings/tax-rates": "VAT codes, tax codes, Steuersätze, Kleinunternehmer, Steuerschlüssel, Steuercode",
  "/settings/dimensions": "cost centre, cost center, analytics, tracking category, Kostenstelle, Kostenträger, KOST",
  "/settings/column-mappings": "CSV, Excel, import, Spalten, Überschriften",
  "/settings/exchange-rates": "exchange rates, FX, Wechselkurse, currency, ECB, Devisen, Fremdwährung, EZB",
  "/import": "upload, migrate, CSV, Excel, switch, bring data in, conversion balances, brought forward, " +
    "Daten übernehmen, Umzug, Einlesen, Stammdaten, EB-Werte, Eröffnungsbilanz, Saldenvortrag",
  "/settings/leave-types": "leave types, holiday types, Urlaubsart, Abwesenheitsarten",
  "/settings/sites": "location, branch, office, Niederlassung, Zweigstelle",
  "/settings/holidays": "public holidays, bank holidays, Feiertage",
  "/settings/pay-components": "pay components, Lohnarten, allowances, deductions, benefits, Zulagen, Abzüge",
  "/settings/members": "members, users, team, roles, invite, Mitglieder, Rollen, Benutzer, Team, Rechte, einladen",
  "/log": "audit log, history, Änderungsprotokoll, activity, who changed, Protokoll, wer hat geändert",
  "/settings/mail": "mail server, smtp, e-mail, Mailserver, Postausgang, Versand",
  "/settings/webhooks": "webhooks, integration, Schnittstelle, Anbindung",
  "/server": "network, certificate, LAN, version, Netzwerk, Zertifikat",
  "/server/backups": "backup, restore, copy, Sicherung, Datensicherung, Backup, wiederherstellen",
  "/server/users":
    "users, administrator, two-factor, second factor, zweiter Faktor, password, Benutzer, Zwei-Faktor, Passwort",
  "/settings/expense-categories": "expense categories, Spesenarten, Auslagenarten",
  "/settings/expense-rates": "per diem, mileage, Verpflegungspauschale, Kilometerpauschale, Spesensätze",
  "/settings/workspace": "workspace, archive, duplicate, copy, leave, Arbeitsbereich, archivieren, kopieren, verlassen",
  "/settings/wage-types": "wage types, LODAS, Lohn und Gehalt, Lohnarten",
};
