/** Documents of two demo clients: a page, a chart and a table at each level to which documents can be attached. */
import { createHash } from 'node:crypto'
import { addDays, type CalendarDate } from '#contract/kernel/date.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import type { FileStore } from '../kernel/machinery.ts'
import { diceOf } from './dice.ts'
import { drawBars, drawPage, writeTable } from './draw-papers.ts'
import type { Ids } from './make-clients.ts'
import { idOf } from './plan-bills.ts'
import type { ClientPlan, EstatePlan } from './plan.ts'
import { asBytea, insertNumbered } from './store-rows.ts'

const types = { pdf: 'application/pdf', png: 'image/png', csv: 'text/csv' } as const
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

interface Paper {
  readonly title: string
  readonly ending: keyof typeof types
  readonly bytes: Buffer
  /** Column of the record to which the document is attached, with its value. */
  readonly on: Readonly<Record<string, number | boolean>>
}

export interface Clerk {
  readonly user_id: number
  readonly today: CalendarDate
}

/** Stores the files first: a key depends on the place of the document, so that a retry after a failure overwrites the first. */
export async function makeDocuments(tx: Tx, files: FileStore, plan: EstatePlan, ids: Ids, { user_id, today }: Clerk): Promise<void> {
  const nowhere = { on_client: false, division_id: null, facility_id: null, billable_account_id: null, supply_account_id: null }
  const made = documented(plan).flatMap((client) =>
    papersOf(client, plan, ids).map((paper, place) => {
      const at = `${addDays(today, -30 - 17 * place)}T16:20:00.000Z`
      return { client_id: idOf(ids, client), key: `demo/${idOf(ids, client)}/${place}.${paper.ending}`, at, ...paper }
    }),
  )
  await Promise.all(made.map(({ key, bytes, ending }) => files.put(key, bytes, types[ending])))
  const fileIds = await insertNumbered(
    tx,
    'files',
    made.map(({ key, title, ending, bytes, at }) => ({
      key,
      filename: `${title.toLowerCase().replaceAll(' ', '-')}.${ending}`,
      content_type: types[ending],
      byte_size: bytes.length,
      sha256: asBytea(createHash('sha256').update(bytes).digest()),
      user_id,
      state: 'attached',
      created_at: at,
      attached_at: at,
    })),
  )
  const rows = made.map(({ client_id, title, on, at }, place) => ({
    client_id,
    title,
    file_id: fileIds[place],
    ...nowhere,
    ...on,
    created_by: user_id,
    lock_version: 0,
    created_at: at,
    updated_at: at,
  }))
  await insertNumbered(tx, 'documents', rows)
}

/** Returns the client of the demo sign-ins, and the next one with a separate energy supplier, which the first does not have. */
function documented({ clients, accounts }: EstatePlan): ClientPlan[] {
  const [first, ...others] = clients
  const second = others.find((client) => accounts.some((account) => account.client === client && account.supply))
  return [first, second].filter((client) => client !== undefined)
}

/** Returns documents of the client, of the division in which its client user works, of a facility there, and of an account of each kind. */
function papersOf(client: ClientPlan, plan: EstatePlan, ids: Ids): Paper[] {
  const { name } = client.sample
  const facility = client.facilities.find((one) => one.division === client.divisions[0]) ?? client.facilities[0]
  if (!facility) return []
  const accounts = plan.accounts.filter((one) => one.client === client && one.kind !== 'group')
  const account = accounts.find((one) => one.facility === facility) ?? accounts[0]
  const supply = (accounts.find((one) => one.facility === facility && one.supply) ?? accounts.find((one) => one.supply))?.supply
  const { division } = facility
  const site = `${facility.street}, ${facility.city}, ${facility.state} ${facility.zip}`
  return [
    ...threeOf({ on_client: true }, name, 'Master services agreement', [`Between ${name} and Meterbook.`, ...terms]),
    ...threeOf({ division_id: idOf(ids, division) }, division.name, 'Approval limits', [
      `Division ${division.name} (${division.code}) of ${name}.`,
      'Bills up to $10,000 are approved by the division.',
      'All others are approved by the controller.',
    ]),
    ...threeOf({ facility_id: idOf(ids, facility) }, facility.name, 'Lease', [
      `Premises: ${facility.name}, ${site}.`,
      `Area: ${facility.feet.toLocaleString('en-US')} square feet.`,
      'Utilities are paid by the tenant, by meter.',
    ]),
    ...(account
      ? threeOf({ billable_account_id: idOf(ids, account) }, account.number, 'Tariff sheet', [
          `Account ${account.number} with ${account.vendor.name}.`,
          'The customer charge is due each month, also without usage.',
        ])
      : []),
    ...(supply
      ? threeOf({ supply_account_id: idOf(ids, supply) }, supply.number, 'Supply contract', [
          `Account ${supply.number} with ${supply.vendor.name}.`,
          'Fixed price for 24 months; taxes and delivery are billed apart.',
        ])
      : []),
  ]
}

const terms = ['Bills are entered within one business day.', 'Payments leave two business days before they are due.']

/** Returns a page, and the usage of a year as a chart and as a table, with the same figures. */
function threeOf(on: Paper['on'], seed: string, title: string, lines: readonly string[]): Paper[] {
  const dice = diceOf(`documents ${seed}`)
  const usage = monthNames.map((_, month) => Math.round(9_000 * (1 + 0.45 * Math.cos(((month - 6.5) / 6) * Math.PI)) * dice.about(0.06)))
  const most = Math.max(...usage)
  return [
    { title, ending: 'pdf', on, bytes: drawPage(title, lines) },
    { title: 'Usage by month', ending: 'png', on, bytes: drawBars(usage.map((one) => one / most)) },
    {
      title: 'Usage figures',
      ending: 'csv',
      on,
      bytes: writeTable([['Month', 'kWh'], ...monthNames.map((month, place) => [month, usage[place] ?? 0])]),
    },
  ]
}
