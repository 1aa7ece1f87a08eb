/**
 * The proposal for a form from a document: it is read once in general to find its account and its vendor, and once more with what people
 * confirmed on earlier bills of the vendor. Nothing is stored.
 */
import type { BillReading, DocumentWords, ReadBillField, ReadField } from '#contract/bill-reading/bill-reading.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import {
  compact,
  findAccount,
  printedVendors,
  servicesOf,
  vendorByName,
  type AccountService,
  type FoundAccount,
  type KnownVendor,
} from './find-account.ts'
import { fixedPhrase, signatureOf } from './fixed-words.ts'
import { learnedOf } from './layout-rules.ts'
import { placeOf, textOf, type Sheet, type Token } from './page-lines.ts'
import type { MeterValues } from './read-meters.ts'
import { decideSeparators } from './separators.ts'
import { nothingLearned, pagesOf, readWords, withoutPhrase, type DraftReading } from './read-words.ts'
import { lettersAndDigits } from './same-value.ts'
import { layoutOf, vendorByLayout } from './stored-layouts.ts'

/** Returns the client's account that the document names, its vendor, and every value that was found, with confidence and place. */
export async function proposeBill(tx: Tx, clientId: number, words: DocumentWords): Promise<BillReading> {
  const names = await printedVendors(tx, words)
  const general = readWords(words, nothingLearned, names)
  const account = await accountOf(tx, clientId, general)
  const vendor = await vendorOf(tx, general, account)
  const layout = vendor === null ? null : await layoutOf(tx, vendor.id, signatureOf(general.sheets))
  const draft = layout === null ? general : readWords(words, learnedOf(layout.rules), names)
  // A layout may have taught the place of the account number.
  const known = account ?? (layout === null ? null : await accountOf(tx, clientId, draft))
  const services = known === null ? [] : await servicesOf(tx, clientId, known)
  return {
    pages: pagesOf(words),
    bills_begin_at: draft.bills_begin_at,
    fields: [...accountFields(draft, known), ...vendorFields(draft, vendor)],
    meters: draft.meters.map((meter) => {
      const service = serviceOf(meter, draft.meters, services)
      if (service !== null) decideSeparators(meter, service)
      return { service_id: service?.id ?? null, fields: [...meter.values()].map(withoutPhrase) }
    }),
    vendor_id: vendor?.id ?? null,
    account: known === null ? null : { type: known.account_type, id: known.account_id },
    layout: layout === null ? 'general' : 'learned',
  }
}

/** An account that only a meter names is rejected if the document prints another vendor. */
async function accountOf(tx: Tx, clientId: number, draft: DraftReading): Promise<FoundAccount | null> {
  const account = await findAccount(tx, clientId, draft)
  if (account === null || account.how < 3) return account
  const named = await vendorByName(tx, draft)
  return named === null || named.id === account.vendor_id ? account : null
}

async function vendorOf(tx: Tx, draft: DraftReading, account: FoundAccount | null): Promise<KnownVendor | null> {
  if (account !== null && account.vendor_id !== null) return { id: account.vendor_id, name: account.vendor_name ?? '' }
  return (await vendorByName(tx, draft)) ?? vendorByLayout(tx, signatureOf(draft.sheets), compact(draft))
}

const KNOWN = 0.99
/** A meter's number alone is a guess at the account. */
const BY_METER = 0.7

/** The number of a known account is shown as the account has it. */
function accountFields(draft: DraftReading, account: FoundAccount | null): ReadField<ReadBillField>[] {
  const plain = draft.fields.map(({ field, value, printed, confidence, place }) => ({ field, value, printed, confidence, place }))
  if (account === null) return plain
  const others = plain.filter((field) => field.field !== 'account_number')
  const seen = findWords(draft.sheets, account.wanted)
  const printed =
    account.how === 3 || seen === null
      ? { printed: '', place: null }
      : { printed: textOf(seen.tokens), place: placeOf(seen.tokens, seen.sheet) }
  return [
    { field: 'account_number', value: account.account_number, ...printed, confidence: account.how === 3 ? BY_METER : KNOWN },
    ...others,
  ]
}

function vendorFields(draft: DraftReading, vendor: KnownVendor | null): ReadField<ReadBillField>[] {
  if (vendor === null) return letterhead(draft)
  const seen = findWords(draft.sheets, lettersAndDigits(vendor.name))
  return [
    {
      field: 'vendor',
      value: vendor.name,
      printed: seen === null ? '' : textOf(seen.tokens),
      confidence: seen === null ? 0.9 : KNOWN,
      place: seen === null ? null : placeOf(seen.tokens, seen.sheet),
    },
  ]
}

const GUESSED = 0.3
const HEAD_OF_PAGE = 0.25

/** The largest words in the head of the first page are most often the vendor's name. */
function letterhead(draft: DraftReading): ReadField<ReadBillField>[] {
  const [sheet] = draft.sheets
  if (sheet === undefined) return []
  const upper = sheet.lines.filter((line) => line.y < sheet.height * HEAD_OF_PAGE).flatMap((line) => line.cells)
  // Text of words that every bill has is a label or a title, not a name.
  const named = upper.filter(
    ({ tokens }) => !tokens.some((token) => /\d/.test(token.text)) && fixedPhrase(tokens.map((token) => token.text)) === '',
  )
  const sizeOf = (tokens: readonly Token[]): number => Math.max(...tokens.map((token) => token.height))
  const [largest] = named.toSorted((a, b) => sizeOf(b.tokens) - sizeOf(a.tokens))
  if (largest === undefined) return []
  const text = textOf(largest.tokens)
  return [{ field: 'vendor', value: text, printed: text, confidence: GUESSED, place: placeOf(largest.tokens, sheet) }]
}

const WORDS_MAX = 8

/** Returns the first words of a line whose letters and digits are these. */
function findWords(sheets: readonly Sheet[], wanted: string): { tokens: readonly Token[]; sheet: Sheet } | null {
  const sought = wanted.toLowerCase()
  for (const sheet of sheets)
    for (const line of sheet.lines)
      for (let from = 0; from < line.tokens.length; from += 1)
        for (let count = 1; count <= WORDS_MAX && from + count <= line.tokens.length; count += 1) {
          const tokens = line.tokens.slice(from, from + count)
          if (lettersAndDigits(tokens.map((token) => token.text).join('')).toLowerCase() === sought) return { tokens, sheet }
        }
  return null
}

/**
 * Returns the service of the account with the number of the meter. The only meter of the document, if it has no number, gets the only
 * service of the account.
 */
function serviceOf(meter: MeterValues, meters: readonly MeterValues[], services: readonly AccountService[]): AccountService | null {
  const number = lettersAndDigits(meter.get('meter_number')?.value ?? '')
  const [same] = services.filter((service) => number !== '' && lettersAndDigits(service.meter_number) === number)
  if (same !== undefined) return same
  return number === '' && meters.length === 1 && services.length === 1 ? (services[0] ?? null) : null
}
