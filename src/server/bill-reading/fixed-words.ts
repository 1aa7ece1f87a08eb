/**
 * Words that utilities print on every bill. A learned phrase consists of these alone, so that no name, street or number of a client can get
 * into data that all clients share.
 */
import { plainPhrase } from './plain-words.ts'
import type { Cell, Sheet } from './page-lines.ts'

const fixed = new Set(
  `a about account active actual additional address adjusted adjustment after agreement all allowance amount an and annual any applied area arrears as at auto average avg
  back balance bank base basic before begin beginning below benefit bill billed billing brought budget business by calculation call carried carry cash category center charge charged check city class
  closing code commercial commodity company connection constant consumption contact contract cost credit cubic current customer cycle daily date day debit deduct delinquent delivery demand department
  deposit description detail difference direct discount dispatch distribution district document due duplicate each easy edate electric electricity enclosed end ending energy enquiry equal
  estimated exempt factor fee feet final flat for forward fresh from fuel full gallons gal gas general generation gross group handling high hour hours how id identification important in including index
  information installation interest interval invoice issue issued item kgal kilowatt kvar kw kwh large last late latest less level line load local locality location low mail mailed mailing mcf message meter
  metered method minimum minus miscellaneous mo month monthly multiplier municipal name natural net new next none notice now number of office on opening or order other our outstanding over overdue owe owed owing
  page paid past pay payable payer payment peak penalty per period phone pipeline plan please plus point portion power premise premises present pressure previous price print printed prior product property
  provider public purchase quantity rate read reader reading receipt received recent reference register remaining remit remittance residential return rider sanitation schedule season sequence serial service
  sewer sewerage sheet size small solid square standard start statement status storm street sub subtotal sum summary supply surcharge system tariff tax taxes term therm therms thank this through tier time to
  today tons total transmission type unbilled unit units unpaid up us usage use used user utilities utility value vat visit volume waste wastewater water we web week what with yard year you
  ccf hcf number b/f c/f assessed avoid baseline billable btu carry cf cooling critical dekatherm delivered dial excess fire garbage heating history hundred irrigation is kwhr light lighting mailing measured
  member membership mid must off pending prompt ratchet reactive recycling refuse renewable rental send shoulder shown since stormwater supplied supplier temperature thousand trash was were`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Returns the phrase of these words; empty if one of them is not in the list. */
export function fixedPhrase(texts: readonly string[]): string {
  const phrase = plainPhrase(texts)
  return phrase.split(' ').every((word) => fixed.has(word)) ? phrase : ''
}

/** @param word normalized */
export const isFixedWord = (word: string): boolean => fixed.has(word)

/** Returns what every page of this layout shows: its cells of fixed words. Sorted, without duplicates. */
export function signatureOf(sheets: readonly Sheet[]): string[] {
  const phrases = sheets.flatMap((sheet) => sheet.lines.flatMap((line) => line.cells.map(phraseOfCell)))
  return [...new Set(phrases.filter((phrase) => phrase.length >= SIGNATURE_LETTERS_MIN))].toSorted().slice(0, SIGNATURE_MAX)
}

const SIGNATURE_LETTERS_MIN = 5
const SIGNATURE_MAX = 200

function phraseOfCell(cell: Cell): string {
  const words = cell.tokens.filter((token) => !/\d/.test(token.text)).map((token) => token.text)
  return words.length === 0 || words.length > 6 ? '' : fixedPhrase(words)
}

/** Returns the fraction of all phrases that both have. */
export function likeness(a: readonly string[], b: readonly string[]): number {
  const both = a.filter((phrase) => b.includes(phrase)).length
  return both === 0 ? 0 : both / (a.length + b.length - both)
}
