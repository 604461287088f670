// The words by which the palette finds a screen, in addition to its name: words of other programs, in both languages,
// since a German types "P&L" too. By the address of the screen.
import { SCREEN_WORDS } from "./office/settings/screen_words.js";

export const SEARCH_WORDS = {
  ...SCREEN_WORDS,
  "/invoices": "sales invoice, AR, billing, debtors, Ausgangsrechnung, Faktura",
  "/invoices/new": "sales invoice, raise, send invoice, billing, Rechnung schreiben, Rechnung stellen, fakturieren",
  "/quotes": "estimate, proposal, offer, order confirmation, Angebot, Kostenvoranschlag, Offerte, Auftragsbestätigung",
  "/quotes/new": "estimate, proposal, offer, Angebot schreiben, Offerte",
  "/bills":
    "purchases, purchase invoice, supplier invoice, vendor bill, expenses, AP, creditors, Lieferantenrechnung, " +
    "Kreditorenrechnung, Ausgaben, Beleg erfassen",
  "/inbox": "receipts, upload, scan, capture, documents, Belege hochladen, Quittung, Posteingang, Eingangskorb",
  "/payments": "receive payment, money in, money out, spend money, receipt, Geldeingang, Bezahlt, Zahlungseingang, " +
    "Zahlungsausgang",
  "/payments/new": "receive payment, money in, money out, receipt, Zahlung buchen, Geldeingang",
  "/payment-runs": "pay bills, pay suppliers, batch payment, SEPA, pain.001, bank file, BACS, Sammelüberweisung, " +
    "Zahlungsvorschlag, SEPA-Datei, Kreditoren bezahlen, Überweisung",
  "/transfers": "transfer money, cash to bank, Geldtransit, Umbuchung, Kasse",
  "/open-items": "unpaid, outstanding, unallocated, allocate, apply credit, write off, bad debt, OPOS, OP-Liste, " +
    "Zuordnung, Klärung, ausgleichen, ausbuchen, Forderungsausfall",
  "/offsets": "contra, netting, Aufrechnung",
  "/bank": "bank transactions, reconcile, reconciliation, match, unmatch, find & match, bank feed, for review, " +
    "categorise, statement lines, import statement, camt, MT940, CSV, Bankumsätze, Bankabgleich, Umsätze, " +
    "Kontoumsätze, zuordnen, abstimmen, Banking, Kontoauszug, kontieren",
  "/bank/rules": "bank rules, categorise, Automatik, Lerndatei, kontieren",
  "/contacts": "customers, suppliers, vendors, clients, address book, payment reminder, dunning, account statement, " +
    "Kunden, Lieferanten, Debitoren, Kreditoren, Adressen, Geschäftspartner, Stammdaten, Mahnung",
  "/journals":
    "manual journal, transactions, postings, adjustment, Primanota, Buchungsjournal, Buchungssatz, Buchen, " +
    "Dialogbuchen, Umbuchen",
  "/accounts":
    "chart of accounts, COA, nominal codes, categories, Kontenplan, Kontenrahmen, SKR 03, SKR 04, Sachkonten",
  "/reports/aged-receivables": "ageing, aged debtors, OPOS-Liste, Fälligkeiten, Altersstruktur",
  "/reports/aged-payables": "ageing, aged creditors, OPOS-Liste, Fälligkeiten, Altersstruktur",
  "/reports/cash-flow": "liquidity, cash position, Liquidität, Geldfluss",
  "/reports/cash-forecast": "liquidity, cash position, Liquidität, Geldfluss",
  "/reports/general-ledger": "nominal ledger, account transactions, Kontenblatt, Kontoblatt",
  "/reports/ec-sales-list": "ESL, VIES, ZM",
  "/reports/number-gaps": "gaps, Lücken, GoBD",
  "/reports/profit-and-loss": "P&L, income statement, GuV, BWA, Gewinn, Erfolgsrechnung",
  "/budgets": "plan, forecast, target, actual, Plan, Soll, Ist, Planung",
  "/reports/balance-sheet": "financial position, Vermögen",
  "/reports/project-margin": "profitability, job costing, contribution margin, Nachkalkulation, Projektergebnis",
  "/reports/trial-balance": "TB, SuSa, Saldenliste",
  "/reports/tax": "VAT, GST, sales tax, MTD, VAT100, tax return, submit, mark as filed, UStVA, USt-Voranmeldung, " +
    "Vorsteuer, ELSTER, Finanzamt, Zahllast, Umsatzsteuererklärung",
  "/close": "close period, lock date, month end, close books, lock books, Festschreiben, Monatsabschluss, " +
    "Periode schließen, lock month, Monat sperren",
  "/close/year": "SAF-T, audit file, annual accounts, Bilanz erstellen, GoBD, GDPdU, Z3, Betriebsprüfung",
  "/close/advisor":
    "DATEV, tax advisor, accountant, export for accountant, Steuerberater, Steuerkanzlei, Buchungsstapel, EXTF, " +
    "Belege übergeben",
  "/assets": "fixed assets, equipment, inventory list, depreciation, Anlagevermögen, Anlagen, AfA, GWG, Inventar",
  "/depreciation-runs": "AfA, Abschreibungslauf, depreciation, write-down",
  "/reports/asset-register": "Anlagenverzeichnis, Anlagenspiegel, fixed asset schedule",
  "/close/revaluation": "foreign currency, FX, Neubewertung, Kursdifferenz",
  "/recurring": "repeating invoice, subscription, standing journal, Serienrechnung, Abo, Dauerrechnung, Dauerbuchung",
  "/reminders": "dunning, payment reminder, overdue, late payment, chase, Mahnung, Mahnwesen, Zahlungserinnerung, " +
    "Mahnlauf, Verzugszinsen, Mahngebühr",
  "/products": "items, services, price list, Artikel, Leistungen, Preisliste",
  "/report-proof": "audit, hash, checksum, tamper, Prüfsumme, Nachweis, Unveränderbarkeit, GoBD",
  "/settings/process-chapters": "process description, Verfahrensdokumentation, GoBD",
  "/projects": "jobs, matters, cost centre, Aufträge, Mandate, Kostenstelle, Kostenträger",
  "/board": "tasks, kanban, to-do, tickets, Aufgaben, Vorgang",
  "/time":
    "timesheet, hours, track time, stopwatch, activity, unbilled, WIP, bill hours, Stundenzettel, Stunden buchen, " +
    "Zeiterfassung, Tätigkeit, Timer, Stunden abrechnen, Leistungsnachweis",
  "/people":
    "employees, staff, HR, onboarding, new starter, leaver, Mitarbeiter, Personalakte, einstellen, Onboarding, " +
    "Austritt, Kündigung",
  "/leave":
    "holiday, vacation, time off, PTO, absence, sick, sick note, parental, Urlaub, Urlaubsantrag, Krankmeldung, " +
    "krank, AU, Elternzeit, Resturlaub, Fehlzeit",
  "/me?ask=leave": "holiday, vacation, time off, PTO, sick, Urlaub, Urlaubsantrag, Krankmeldung",
  "/attendance": "check in, punch, presence, working hours, overtime, break, Stempeln, Kommen, Gehen, Stempeluhr, " +
    "Arbeitszeit, Zeiterfassung, Überstunden, Gleitzeit",
  "/payroll": "pay run, wages, salaries, pay stub, wage slip, Lohnbuchhaltung, Gehaltslauf, Entgelt, Gehaltszettel, " +
    "Entgeltabrechnung, Verdienst",
  "/payroll/wages": "DATEV, LODAS, Lohn und Gehalt, payroll provider, Lohnbüro, Lohnvorerfassung",
  "/profile": "password, MFA, 2FA, authenticator, token, API key, dark mode, language, Passwort, Zwei-Faktor, " +
    "API-Schlüssel, Sprache, dunkel",
  "/messages": "e-mail, sent, outbox, Postausgang, gesendet",
};
