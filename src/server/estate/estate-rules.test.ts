/** One rule for every way in: what a form refuses, a file and a bulk change refuse by the same condition. */
import { billableAccount } from '#contract/accounts/billable-account.ts'
import { brokenRules } from '#contract/kernel/value-rules.ts'
import { service } from '#contract/services/service.ts'
import { supplyAccount } from '#contract/accounts/supply-account.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makePerson, startTestApp, type Person } from '../../../test/support/app.ts'
import {
  makeBillableAccount,
  makeClient,
  makeDivision,
  makeFacility,
  makeService,
  makeSupplyAccount,
  makeVendor,
} from '../../../test/support/estate.ts'
import { importsOf } from '../../../test/support/import-files.ts'
import type { AccountKind } from './estate-accounts.ts'

const testApp = await startTestApp()
const {
  ask,
  database: { db },
} = testApp
const { send, rows } = importsOf(testApp)
let staff: Person
let client: number
let facility: number
/** Two vendors, by id. */
let power: number
let gas: number

beforeAll(async () => {
  staff = await makePerson(db, 'super_admin')
  client = await makeClient(db)
  facility = await makeFacility(db, client, await makeDivision(db, client))
  power = await makeVendor(db)
  gas = await makeVendor(db)
  await sql`update vendors set short_code = case id when ${power} then 'POW' else 'GAS' end where id in (${power}, ${gas})`.execute(db)
})

type Values = Readonly<Record<string, unknown>>
type Way = 'form' | 'file' | 'bulk'
const kinds = ['billable_account', 'supply_account'] as const
const kept = z.object({ errors: z.object({ full_messages: z.array(z.string()) }) })
const previewed = z.object({ bulk_rows: z.array(z.object({ id: z.int(), reasons: z.array(z.string()), warnings: z.array(z.string()) })) })

let count = 0
interface Account {
  readonly id: number
  readonly number: string
}
async function makeAccount(kind: AccountKind, vendor: number, number = `E-${++count}`): Promise<Account> {
  const values = { account_number: number }
  const id =
    kind === 'billable_account'
      ? await makeBillableAccount(db, client, facility, vendor, values)
      : await makeSupplyAccount(db, client, facility, values)
  await sql`update ${sql.table(`${kind}s`)} set vendor_id = ${vendor} where id = ${id}`.execute(db)
  return { id, number }
}
const set = (kind: AccountKind, id: number, column: string, value: unknown) =>
  sql`update ${sql.table(`${kind}s`)} set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db)
const name = (kind: AccountKind, id: number, alias: string) =>
  sql`insert into account_aliases (client_id, ${sql.ref(`${kind}_id`)}, alias) values (${client}, ${id}, ${alias})`.execute(db)

const at = (kind: AccountKind) => `/clients/${client}/${kind}s`

/** Changes one record by its form; returns the reasons for a refusal, none if it was saved. */
async function byForm(path: string, body: Values): Promise<string[]> {
  const answer = await ask(staff, 'PATCH', path, body)
  return answer.status === 200 ? [] : kept.parse(answer.body).errors.full_messages
}

/** Sends a file of one row; returns the reasons for which the row would be refused. */
async function byFile(path: string, cells: Readonly<Record<string, string>>): Promise<string[]> {
  const csv = `${Object.keys(cells).join(',')}\n${Object.values(cells).join(',')}\n`
  const { id } = await send(staff, `${path}/import`, csv, { mode: 'dry_run' })
  return (await rows(staff, id)).flatMap(({ errors }) => errors.map(({ message }) => message))
}

async function byBulk(kind: AccountKind, ids: readonly number[], changes: Values) {
  const answer = await ask(staff, 'POST', `${at(kind)}/bulk_changes`, { ids, changes, dry_run: true })
  // A preview shows the records that need attention first.
  return previewed.parse(answer.body).bulk_rows.toSorted((one, other) => one.id - other.id)
}

describe.each(['form', 'file', 'bulk'] as const)('the %s', (way: Way) => {
  /** Adds an alias that equals a number of the vendor Gas in this way; returns the reasons for the refusal. */
  const aliasAtGas = async (kind: AccountKind, alias: string): Promise<string[]> => {
    if (way === 'file') {
      const { number } = await makeAccount(kind, gas)
      return byFile(at(kind), { account_number: number, vendor_short_code: 'GAS', aliases: alias })
    }
    const { id } = await makeAccount(kind, power)
    await name(kind, id, alias)
    if (way === 'form') return byForm(`${at(kind)}/${id}`, { [kind]: { vendor_id: gas } })
    return (await byBulk(kind, [id], { vendor_id: gas })).flatMap(({ reasons }) => reasons)
  }

  it.each(kinds)('%s: refuses an alias that is a number or an alias of another account of the vendor, of either kind', async (kind) => {
    const said = (alias: string) => [`${way === 'bulk' ? 'An alias' : alias} is a number or an alias of another account of the same vendor`]
    for (const other of kinds) {
      const mark = `${way}-${kind}-${other}`
      const taken = await makeAccount(other, gas, `NUMBER ${mark}`)
      await name(other, taken.id, `ALSO ${mark}`)
      expect(await aliasAtGas(kind, `NUM-BER${mark}`)).toEqual(said(`NUM-BER${mark}`))
      expect(await aliasAtGas(kind, `ALSO${mark}`)).toEqual(said(`ALSO${mark}`))
      expect(await aliasAtGas(kind, `FREE ${mark}`)).toEqual([])
    }
  })
})

describe('a change of many accounts', () => {
  it('judges an account by the vendor that the other chosen ones will have, and warns of numbers in the same way', async () => {
    const [named, twin, payer] = [
      await makeAccount('billable_account', power, 'MOVES-1'),
      await makeAccount('billable_account', power, 'PAIR 1'),
      await makeAccount('billable_account', power),
    ]
    const water = await makeVendor(db)
    await name('billable_account', named.id, 'FAR-1')
    const far = await makeAccount('billable_account', water, 'FAR 1')
    await makeAccount('billable_account', gas, 'PAIR 1')
    await sql`insert into bills (client_id, billable_account_id, account_number, date, due_date, paid)
      values (${client}, ${payer.id}, 'x', '2026-01-01', '2026-01-20', true)`.execute(db)
    const alone = await byBulk('billable_account', [named.id, twin.id, payer.id], { vendor_id: gas })
    expect(alone).toEqual([
      { id: named.id, reasons: [], warnings: [] },
      { id: twin.id, reasons: [], warnings: ['The vendor has an account with this number already'] },
      { id: payer.id, reasons: [], warnings: ['Bills that are in a payment keep the vendor that it names'] },
    ])
    const together = await byBulk('billable_account', [named.id, far.id], { vendor_id: gas })
    expect(together).toEqual([
      { id: named.id, reasons: ['An alias is a number or an alias of another account of the same vendor'], warnings: [] },
      { id: far.id, reasons: [], warnings: [] },
    ])
  })
})

describe.each(['form', 'file'] as const)('the %s', (way) => {
  const change = (kind: AccountKind, { id, number }: Account, values: Values, cells: Readonly<Record<string, string>>) =>
    way === 'form'
      ? byForm(`${at(kind)}/${id}`, { [kind]: values })
      : byFile(at(kind), { account_number: number, vendor_short_code: 'POW', ...cells })
  const tick = (kind: AccountKind, account: Account, ticked: boolean) =>
    change(kind, account, { is_group_account: ticked }, { is_group_account: ticked ? 'Y' : 'N' })

  it.each(kinds)('%s: keeps what a group account is while something hangs on it', async (kind) => {
    const [busy, group, sub, free] = [
      await makeAccount(kind, power),
      await makeAccount(kind, power),
      await makeAccount(kind, power),
      await makeAccount(kind, power),
    ]
    await makeService(db, client, kind === 'billable_account' ? { billable_account_id: busy.id } : { supply_account_id: busy.id })
    await set(kind, group.id, 'is_group_account', true)
    await set(kind, sub.id, kind === 'billable_account' ? 'group_account_id' : 'group_supply_account_id', group.id)
    expect(await tick(kind, busy, true)).toEqual(['Group Account cannot change once the account has services'])
    expect(await tick(kind, sub, true)).toEqual(['A subaccount cannot be a group account'])
    expect(await tick(kind, group, false)).toEqual(['Group Account cannot change while the account has subaccounts'])
    expect(await tick(kind, group, true)).toEqual([])
    expect(await tick(kind, free, true)).toEqual([])
  })

  it.each(kinds)('%s: refuses a last day before the first, whichever of the two it gives', async (kind) => {
    const account = await makeAccount(kind, power)
    await set(kind, account.id, 'effective_from', '2026-02-01')
    const refusal = ['Effective To must not be before Effective From']
    expect(await change(kind, account, { effective_to: '2026-01-31' }, { effective_to: '2026-01-31' })).toEqual(refusal)
    expect(await change(kind, account, { effective_to: '2026-02-01' }, { effective_to: '2026-02-01' })).toEqual([])
    await set(kind, account.id, 'effective_to', '2026-02-01')
    expect(await change(kind, account, { effective_from: '2026-02-02' }, { effective_from: '2026-02-02' })).toEqual(refusal)
  })

  describe('of services', () => {
    /** Changes a new service, which has a unit and a factor of its utility service. */
    const changeService = async (values: Values, cells: Readonly<Record<string, string>>, billed = false): Promise<string[]> => {
      const { id, number } = await makeAccount('billable_account', power)
      const meter = `METER-${id}`
      const serviceId = await makeService(db, client, { billable_account_id: id }, { meter_number: meter })
      await sql`update services set effective_from = '2026-02-01', usage_unit_id = ${await idOf('electric', 'unit', 'kWh')} where id = ${serviceId}`.execute(
        db,
      )
      await sql`insert into service_usage_factors (client_id, service_id, usage_factor_id) values (${client}, ${serviceId}, ${await idOf('electric', 'factor', 'Demand')})`.execute(
        db,
      )
      if (billed) await bill(id, serviceId)
      return way === 'form'
        ? byForm(`${at('billable_account')}/${id}/services/${serviceId}`, { service: values })
        : byFile(at('billable_account'), { account_number: number, vendor_short_code: 'POW', meter_number: meter, ...cells })
    }

    it('refuses a last day before the first', async () => {
      const [early, same] = ['2026-01-31', '2026-02-01']
      expect(await changeService({ effective_to: early }, { service_effective_to: early })).toEqual([
        'Effective To must not be before Effective From',
      ])
      expect(await changeService({ effective_to: same }, { service_effective_to: same })).toEqual([])
    })

    it('refuses a unit and factors of another utility service, given or left behind', async () => {
      const [unit, factor, water] = [await idOf('water', 'unit', 'gal'), await anotherFactor(), await utilityService('water')]
      const [unitRefusal, factorRefusal] = [
        'Usage Unit must be one of the utility service',
        (name: string) => `Usage Factors must be of the utility service: ${name}`,
      ]
      expect(await changeService({ usage_unit_id: unit }, { usage_unit: 'gal' })).toEqual([unitRefusal])
      expect(await changeService({ usage_factor_ids: [factor] }, { usage_factors: 'Only Water' })).toEqual([factorRefusal('Only Water')])
      const moved = await changeService({ utility_service_id: water }, { service_utility_code: 'water' })
      expect(moved.toSorted()).toEqual([factorRefusal('Demand'), unitRefusal])
      const whole = { utility_service_id: water, usage_unit_id: unit, usage_factor_ids: [factor] }
      expect(await changeService(whole, { service_utility_code: 'water', usage_unit: 'gal', usage_factors: 'Only Water' })).toEqual([])
    })

    it('keeps the utility service of what bills carry', async () => {
      const [unit, water] = [await idOf('water', 'unit', 'gal'), await utilityService('water')]
      const values = { utility_service_id: water, usage_unit_id: unit, usage_factor_ids: [] }
      const cells = { service_utility_code: 'water', usage_unit: 'gal', usage_factors: '#CLEAR' }
      expect(await changeService(values, cells, true)).toEqual(['Utility Service cannot change once bills carry the service'])
    })
  })
})

it('the console judges the values of one record by the same data', () => {
  for (const { rules } of [billableAccount, supplyAccount, service])
    expect(brokenRules(rules, { effective_from: '2026-02-01', effective_to: '2026-01-31' })).toEqual({
      effective_to: 'Effective To must not be before Effective From',
    })
})

async function utilityService(code: string): Promise<number> {
  const { rows: found } = await sql<{ id: number }>`select id from utility_services where code = ${code}`.execute(db)
  return found[0]?.id ?? 0
}

async function idOf(code: string, what: 'unit' | 'factor', wanted: string): Promise<number> {
  const kind = await utilityService(code)
  const { rows: found } = await (
    what === 'unit'
      ? sql<{
          id: number
        }>`select usage_units.id from usage_units join units on units.id = usage_units.unit_id where utility_service_id = ${kind} and units.symbol = ${wanted}`
      : sql<{ id: number }>`select id from usage_factors where utility_service_id = ${kind} and name = ${wanted}`
  ).execute(db)
  return found[0]?.id ?? 0
}

async function anotherFactor(): Promise<number> {
  const { rows: made } = await sql<{ id: number }>`insert into usage_factors (utility_service_id, name, description, unit_id)
    select utility_services.id, 'Only Water', 'x', units.id from utility_services, units where code = 'water' and units.symbol = 'each'
    on conflict (utility_service_id, name) do update set description = 'x' returning id`.execute(db)
  return made[0]?.id ?? 0
}

async function bill(accountId: number, serviceId: number): Promise<void> {
  const { rows: made } = await sql<{ id: number }>`insert into bills (client_id, billable_account_id, account_number, date, due_date)
    values (${client}, ${accountId}, 'x', '2026-01-01', '2026-01-20') returning id`.execute(db)
  await sql`insert into service_bills (client_id, bill_id, service_id, position) values (${client}, ${made[0]?.id}, ${serviceId}, 1)`.execute(
    db,
  )
}
