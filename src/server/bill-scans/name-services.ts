/** Rows of a document without a meter number belong to the account's only service of the kind that they name: 'SEWER 393 CCF'. */
import type { BillReading, DocumentWords, ReadMeter } from '#contract/bill-reading/bill-reading.ts'
import type { AccountType } from '#contract/bills/bill.ts'
import { onlyOfKind } from '#contract/services/only-service.ts'
import { sql } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

export interface AccountService {
  readonly id: number
  readonly meter_number: string
  readonly metered: boolean
  readonly utility_service: string
}

/** Practical maximum of services per account. */
const SERVICES_MAX = 1_000

export async function servicesOfAccount(
  tx: Tx,
  clientId: number,
  account: { readonly type: AccountType; readonly id: number },
): Promise<readonly AccountService[]> {
  const column = account.type === 'BillableAccount' ? 'billable_account_id' : 'supply_account_id'
  const { rows } = await sql<AccountService>`
    select service.id, service.meter_number, service.metered, kind.name as utility_service
    from services service join utility_services kind on kind.id = service.utility_service_id
    where service.client_id = ${clientId} and service.${sql.ref(column)} = ${account.id} and service.active
    order by service.rank, service.id limit ${SERVICES_MAX}`.execute(tx)
  return rows
}

/** Words by which rows of bills name our kinds of service, besides the names of the kinds. */
const kindWords: readonly (readonly [kind: string, words: RegExp])[] = [
  ['Sewer', /\b(sewer|sewage|sewerage|waste\s?water)\b/i],
  ['Water', /\bwater\b/i],
  ['Electric', /\belectric(ity|al)?\b/i],
  ['Natural Gas', /\bgas\b/i],
  ['Waste', /\b(refuse|garbage|trash|sanitation|solid waste|rubbish)\b/i],
]

/**
 * Returns the reading with a service for each unnumbered meter whose row names one kind, if the account has exactly one service of it
 * without another meter.
 */
export function nameServices(reading: BillReading, words: DocumentWords, services: readonly AccountService[]): BillReading {
  const taken = new Set(reading.meters.flatMap(({ service_id }) => service_id ?? []))
  const meters = reading.meters.map((meter) => {
    if (meter.service_id !== null || meter.fields.some(({ field }) => field === 'meter_number')) return meter
    const kinds = kindsNamed(rowOf(meter, words))
    const only = kinds.length === 1 && kinds[0] !== undefined ? onlyOfKind(services, kinds[0]) : undefined
    if (only === undefined || taken.has(only.id)) return meter
    taken.add(only.id)
    return { ...meter, service_id: only.id }
  })
  return { ...reading, meters }
}

/** 'WATER SEWER' names two, 'WASTE WATER' one. */
function kindsNamed(text: string): string[] {
  const plain = text.replace(/\bwaste\s?water\b/gi, 'sewer')
  return kindWords.flatMap(([kind, pattern]) => (pattern.test(plain) ? [kind] : []))
}

/** Returns the words on the row of the meter's values, in reading order. */
function rowOf(meter: ReadMeter, words: DocumentWords): string {
  const place = meter.fields.find((field) => (field.field === 'usage' || field.field === 'utility_charges') && field.place !== null)?.place
  const page = words.pages.find((one) => one.page === place?.page)
  if (!place || !page) return ''
  const middle = (place.y + place.height / 2) * page.height
  return page.words
    .filter(([, , y, , height]) => y <= middle && y + height >= middle)
    .toSorted((one, other) => one[1] - other[1])
    .map(([text]) => text)
    .join(' ')
}
