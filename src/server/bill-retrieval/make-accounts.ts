/**
 * Accounts and services that statements need and the client does not have, many created at once. The properties of a new account follow
 * from its statements: the cycle from the length of their periods, the services from their meters. A user decides about its owner and
 * place.
 */
import { stateOf, type State } from '#contract/accounts/address.ts'
import { billingCycleDefault } from '#contract/accounts/account-fields.ts'
import { billableAccount } from '#contract/accounts/billable-account.ts'
import type { NewAccounts } from '#contract/bill-retrieval/retrieval-choice.ts'
import { billingCycleOf } from '#contract/bill-retrieval/statement-history.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import type { Tx } from '../kernel/postgres/database.ts'
import { invalid } from '../kernel/problem.ts'
import type { StoredStatement } from './find-accounts.ts'
import { storedStatement } from './read-statement.ts'
import { servicesOfStatements, insertServices, createdEntry } from './add-services.ts'

/** Owner of the new accounts of a utility: a user's choice, as ids. */
export interface AccountPlan {
  readonly provider_name: string
  readonly vendor_id: number
  readonly facility_id: number
  readonly address?: NewAccounts['address'] | undefined
}

/** Placeholder for an unknown address, so that it can be found and corrected. */
const unknownAddress = { street_address_1: 'Address not on the statement', city: 'Unknown', zip: '00000' }
/** Used if not even the vendor has a state; any state works, because the street marks the address as unknown. */
const stateFallback: State = 'CA'

/** Creates the accounts of the statements, each with all services that any of its stored statements needs. @returns the number of each. */
export async function makeAccounts(
  context: Context,
  clientId: number,
  stored: readonly StoredStatement[],
  plans: ReadonlyMap<string, AccountPlan>,
): Promise<{ accounts: number; services: number }> {
  const groups = await wholeAccounts(
    context.tx,
    clientId,
    stored.filter((one) => plans.has(one.provider_name)),
  )
  const known = await addressesOf(context.tx, clientId, [...plans.values()])
  const states = await vendorStates(context.tx, [...plans.values()])
  const drafts = groups.flatMap((group) => {
    const plan = plans.get(group[0]?.provider_name ?? '')
    return plan ? [{ group, draft: accountDraft(group, plan, known, states.get(plan.vendor_id) ?? stateFallback) }] : []
  })
  const ids = await insertAccounts(
    context,
    clientId,
    drafts.map(({ draft }) => draft),
  )
  const services = drafts.flatMap(({ group }, place) =>
    servicesOfStatements(group).map((service) => ({ ...service, billable_account_id: ids[place] ?? 0 })),
  )
  await insertServices(context, clientId, services)
  return { accounts: drafts.length, services: services.length }
}

/** Returns all stored statements of these accounts, not only the chosen ones, account by account. */
async function wholeAccounts(tx: Tx, clientId: number, stored: readonly StoredStatement[]): Promise<StoredStatement[][]> {
  if (stored.length === 0) return []
  const wanted = new Map(
    stored.map(({ provider, provider_name, account_number }) => [
      JSON.stringify([provider, provider_name, account_number]),
      { provider, provider_name, account_number },
    ]),
  )
  const { rows } = await sql<Omit<StoredStatement, 'statement'> & { raw: unknown }>`
    select kept.id, kept.provider, kept.provider_name, kept.statement_id, kept.file_id, kept.account_number, kept.statement_date, kept.state, kept.bill_id, kept.raw
    from jsonb_to_recordset(${JSON.stringify([...wanted.values()])}::jsonb) as wanted(provider text, provider_name text, account_number text)
    join retrieval_statements kept on kept.client_id = ${clientId} and kept.provider = wanted.provider and kept.provider_name = wanted.provider_name and kept.account_number = wanted.account_number
    order by kept.provider_name, kept.account_number, kept.statement_date, kept.id`.execute(tx)
  const whole = rows.map(({ raw, ...row }): StoredStatement => ({ ...row, statement: storedStatement(raw) }))
  return [...Map.groupBy(whole, (one) => JSON.stringify([one.provider, one.provider_name, one.account_number])).values()]
}

interface FormerAddress {
  readonly facility_id: number
  readonly street_address_1: string
  readonly city: string
  readonly state: string
  readonly zip: string
}

/** Returns an address per facility, from the newest account there: a new account of the same building most likely has the same. */
async function addressesOf(tx: Tx, clientId: number, plans: readonly AccountPlan[]): Promise<FormerAddress[]> {
  const { rows } =
    await sql<FormerAddress>`select distinct on (facility_id) facility_id, street_address_1, city, state, zip from billable_accounts
    where client_id = ${clientId} and facility_id = any(${plans.map((plan) => plan.facility_id)}::bigint[]) and street_address_1 <> ${unknownAddress.street_address_1}
    order by facility_id, id desc`.execute(tx)
  return rows
}

/** Returns the states of the utilities: most deliver in their own state. */
async function vendorStates(tx: Tx, plans: readonly AccountPlan[]): Promise<ReadonlyMap<number, State>> {
  const { rows } = await sql<{ id: number; state: string }>`select id, state from vendors
    where id = any(${plans.map((plan) => plan.vendor_id)}::bigint[]) and state is not null`.execute(tx)
  return new Map(
    rows.flatMap(({ id, state }) => {
      const known = stateOf(state)
      return known === null ? [] : [[id, known] as const]
    }),
  )
}

function accountDraft(group: readonly StoredStatement[], plan: AccountPlan, known: readonly FormerAddress[], likelyState: State) {
  const [first] = group
  const number = first?.account_number ?? ''
  const cycle = billingCycleOf(group.map((one) => one.statement))
  const printed = group.map((one) => printedAddress(one.statement.service_address)).find((one) => one !== null)
  const former = known.find((one) => one.facility_id === plan.facility_id)
  const { street_address_1, city, state, zip } = printed ?? plan.address ?? former ?? { ...unknownAddress, state: likelyState }
  const draft = billableAccount.draft.safeParse({
    facility_id: plan.facility_id,
    vendor_id: plan.vendor_id,
    name: `${first?.provider_name ?? ''} ${number}`.slice(0, 255),
    account_number: number,
    street_address_1,
    city,
    state,
    zip,
    billing_period: periodOf(cycle),
    billing_cycle: Math.min(Math.max(cycle ?? billingCycleDefault, 1), 400),
  })
  if (!draft.success) throw invalid({ new_accounts: [`Account ${number}: ${draft.error.issues.map((issue) => issue.message).join(', ')}`] })
  return draft.data
}

/** Parses 'street, city, ST zip' as services write it; null for other formats. */
export function printedAddress(address: string | null): Omit<FormerAddress, 'facility_id'> | null {
  const [, street = '', city = '', stateText = '', zip = ''] =
    /^(.+),\s*([^,]+),\s*([A-Za-z]{2})\s+([\w-]{3,10}(?: \w{3})?)$/.exec(address?.trim() ?? '') ?? []
  const state = stateOf(stateText)
  return street === '' || state === null ? null : { street_address_1: street.slice(0, 255), city: city.trim().slice(0, 100), state, zip }
}

/** Returns the billing period of a cycle: 0 weekly, 1 bi-weekly, 2 monthly, 3 quarterly; two months match none of them. */
function periodOf(cycle: number | null): 0 | 1 | 2 | 3 | null {
  if (cycle === null) return null
  if (cycle <= 9) return 0
  if (cycle <= 18) return 1
  if (cycle >= 23 && cycle <= 37) return 2
  return cycle >= 77 && cycle <= 105 ? 3 : null
}

async function insertAccounts(context: Context, clientId: number, drafts: readonly ReturnType<typeof accountDraft>[]): Promise<number[]> {
  if (drafts.length === 0) return []
  const taken = await sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence('billable_accounts', 'id')) as id from generate_series(1, ${drafts.length})`.execute(context.tx)
  const rows = drafts.map((draft, place) => ({ ...draft, id: taken.rows[place]?.id }))
  await sql`insert into billable_accounts (client_id, id, facility_id, vendor_id, name, account_number, street_address_1, city, state, zip, billing_period, billing_cycle)
    select ${clientId}::bigint, one.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(id bigint, facility_id bigint, vendor_id bigint, name text, account_number text,
      street_address_1 text, city text, state text, zip text, billing_period int, billing_cycle int)`.execute(context.tx)
  await context.audit.many(rows.map(({ id, ...values }) => createdEntry('billable_account', id ?? 0, clientId, values)))
  return taken.rows.map((row) => row.id)
}
