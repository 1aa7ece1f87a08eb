/** Finds the client's account by a number that the document prints, and the vendor through the account, by name, or by layout. */
import type { AccountType } from '#contract/bills/bill.ts'
import { sql, type RawBuilder } from 'kysely'
import type { DocumentWords } from '#contract/bill-reading/bill-reading.ts'
import { accountTables, type AccountKind, bareText, foundAccounts, foundBy, lettersAndDigitsOnly } from '../estate/estate.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { DraftReading } from './read-words.ts'
import type { KnownMeter } from './separators.ts'
import { lettersAndDigits } from './same-value.ts'
import { allPrinted } from './printed-values.ts'
import { textOf } from './page-lines.ts'

export interface AccountService extends KnownMeter {
  readonly id: number
  readonly meter_number: string
}

export interface FoundAccount {
  readonly account_type: AccountType
  readonly account_id: number
  readonly account_number: string
  readonly vendor_id: number | null
  readonly vendor_name: string | null
  /** The printed number that matched, letters and digits only. */
  readonly wanted: string
  /** 1: by its number, 2: by an alias, 3: by the number of a meter. */
  readonly how: number
}

/** Numbers of one document that are looked up. */
const NUMBERS_MAX = 300
/** A number away from its label needs this many digits to be taken for an account number. */
const UNLABELLED_DIGITS_MIN = 6
/** A number with cents is looked up as an account number from this many digits on. */
const AMOUNT_LIKE_DIGITS_MIN = 8

/** Returns the account of the document; null if there is none, or if several fit equally. */
export async function findAccount(tx: Tx, clientId: number, draft: DraftReading): Promise<FoundAccount | null> {
  const labelled = draft.fields.flatMap((field) => (field.field === 'account_number' ? lettersAndDigits(field.value) : []))
  const numbers = [...new Set([...labelled, ...printedNumbers(draft)])].slice(0, NUMBERS_MAX)
  if (numbers.length === 0) return null
  const meters = draft.meters.flatMap((meter) => lettersAndDigits(meter.get('meter_number')?.value ?? '') || [])
  const found = foundAccounts({ clientId, wanted: sql`wanted`, writing: lettersAndDigitsOnly })
  const { rows } = await sql<FoundAccount>`
    with wanted as (select unnest(${numbers}::text[]) as number),
    hit as (
      select found.account_type, found.id, found.vendor_id, found.account_number, found.active, found.number as wanted, case found.how when ${foundBy.alias} then 2 else 1 end as how
      from (${found}) found
      union all ${byMeter('billable_account', clientId, meters)} union all ${byMeter('supply_account', clientId, meters)})
    select hit.account_type, hit.id as account_id, hit.account_number, hit.vendor_id, vendor.name as vendor_name, hit.wanted, min(hit.how) as how
    from hit left join vendors vendor on vendor.id = hit.vendor_id
    group by hit.account_type, hit.id, hit.account_number, hit.vendor_id, vendor.name, hit.wanted, hit.active
    order by how, hit.active desc, hit.id limit 50`.execute(tx)
  return chooseAccount(rows, new Set(labelled), compact(draft))
}

function byMeter(kind: AccountKind, clientId: number, meters: readonly string[]): RawBuilder<unknown> {
  const { table, key } = accountTables[kind]
  const type: AccountType = kind === 'billable_account' ? 'BillableAccount' : 'SupplyAccount'
  const number = bareText(sql.ref('service.meter_number'))
  return sql`select ${sql.lit(type)}::text, account.id, account.vendor_id, account.account_number, account.active, ${number}, 3
    from services service join ${sql.table(table)} account on account.client_id = service.client_id and account.id = ${sql.ref(`service.${key}`)}
    where service.client_id = ${clientId} and ${number} = any(${meters}::text[])`
}

/**
 * A labelled number wins over one elsewhere; of several accounts the one whose vendor's name is printed wins. A meter leads to its account
 * only if no account number is printed: meters change hands, and two utilities may use the same numbers.
 */
function chooseAccount(all: readonly FoundAccount[], labelled: ReadonlySet<string>, text: string): FoundAccount | null {
  const rows = all.filter((row) => row.how < 3 || labelled.size === 0)
  const rankOf = (row: FoundAccount): number => {
    const isNamed = row.vendor_name !== null && text.includes(lettersAndDigits(row.vendor_name).toLowerCase())
    return (row.how < 3 && labelled.has(row.wanted) ? 4 : 0) + (isNamed ? 2 : 0) + (row.how < 3 ? 1 : 0)
  }
  const ranked = rows.map((row) => ({ row, rank: rankOf(row) })).toSorted((a, b) => b.rank - a.rank)
  const [best, second] = ranked
  if (best === undefined) return null
  const isAlone = second === undefined || second.rank < best.rank || second.row.account_id === best.row.account_id
  return isAlone ? best.row : null
}

function printedNumbers(draft: DraftReading): string[] {
  return draft.sheets.flatMap((sheet) =>
    sheet.lines.flatMap((line) => [
      ...allPrinted('identifier', line.tokens).flatMap((printed) => numberOf(printed.value, UNLABELLED_DIGITS_MIN)),
      // '911036.40' looks like an amount, and may be an account number.
      ...line.tokens.flatMap((token) => (/[$,]/.test(token.text) ? [] : numberOf(token.text, AMOUNT_LIKE_DIGITS_MIN))),
    ]),
  )
}

function numberOf(text: string, digitsMin: number): string[] {
  const number = lettersAndDigits(text)
  return number.replace(/\D/g, '').length >= digitsMin ? [number] : []
}

/** Returns the document's letters and digits in one line, to search for names. */
export function compact(draft: DraftReading): string {
  return lettersAndDigits(draft.sheets.flatMap((sheet) => sheet.lines.map((line) => textOf(line.tokens))).join('')).toLowerCase()
}

/** Number of past bills of a service from which its usual usage is computed. */
const PAST_MAX = 13

export async function servicesOf(tx: Tx, clientId: number, account: FoundAccount): Promise<readonly AccountService[]> {
  const column = account.account_type === 'BillableAccount' ? 'billable_account_id' : 'supply_account_id'
  const { rows } =
    await sql<AccountService>`select service.id, service.meter_number, past.last_reading::text as last_reading, past.usual_usage::text as usual_usage
    from services service cross join lateral (
      select (array_agg(line.meter_reading order by line.read_date desc, line.id desc) filter (where line.meter_reading is not null))[1] as last_reading,
        percentile_disc(0.5) within group (order by line.usage) as usual_usage
      from (select id, meter_reading, usage, read_date from service_bills where client_id = ${clientId} and service_id = service.id
        order by read_date desc nulls last, id desc limit ${PAST_MAX}) line) past
    where service.client_id = ${clientId} and ${sql.ref(`service.${column}`)} = ${account.account_id} order by service.active desc, service.rank, service.id limit 1000`.execute(
      tx,
    )
  return rows
}

/** Returns the names of vendors that the document prints anywhere, the longest first. */
export async function printedVendors(tx: Tx, words: DocumentWords): Promise<string[]> {
  const text = lettersAndDigits(words.pages.flatMap((page) => page.words.map(([word]) => word)).join('')).toLowerCase()
  const { rows } = await sql<{ name: string }>`
    select name from (select name, lower(${bareText(sql.ref('name'))}) as compact from vendors where active) named
    where length(compact) >= ${NAME_LETTERS_MIN} and strpos(${text}, compact) > 0 order by length(compact) desc, name limit ${NAMES_MAX}`.execute(
    tx,
  )
  return rows.map((row) => row.name)
}

/** Maximum number of vendors in one stack. */
const NAMES_MAX = 200

export interface KnownVendor {
  readonly id: number
  readonly name: string
}

/** Shorter names occur within other words by chance. */
const NAME_LETTERS_MIN = 5

/** Returns the vendor whose name the document prints, the longest name if there are several. */
export async function vendorByName(tx: Tx, draft: DraftReading): Promise<KnownVendor | null> {
  const { rows } = await sql<KnownVendor>`
    select id, name from (select id, name, lower(${bareText(sql.ref('name'))}) as compact from vendors where active) named
    where length(compact) >= ${NAME_LETTERS_MIN} and strpos(${compact(draft)}, compact) > 0 order by length(compact) desc, id limit 1`.execute(
    tx,
  )
  return rows[0] ?? null
}
