/** The bank account of a profile, and the clients whose payments leave it. */
import { profileOfPayer } from '#contract/payment-files/payment-files.ts'
import type { ProfileForFile } from '#contract/payment-files/payment-file.ts'
import { csvMapping, type CsvMapping } from '#contract/bank-statements/csv-mapping.ts'
import { sql } from 'kysely'
import { readProfiles } from '../global-batches/global-batches.ts'
import { accountOf } from '../issued-checks/issued-checks.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { askedBy, readRow } from '../kernel/lists/resource.ts'
import { invalid } from '../kernel/problem.ts'
import { originatingProfiles } from '../originating-profiles/originating-profiles.ts'

/** An account without its id has no statements yet. */
export interface BankAccount {
  readonly id: number | null
  /** The client of its bank profile, 0 for the provider. */
  readonly payer_id: number
  /** Hexadecimal. */
  readonly fingerprint: string
  readonly last4: string
  readonly bank_name: string
  readonly mapping: CsvMapping | null
}

const columns = sql`id, payer_id, encode(account_fingerprint, 'hex') as fingerprint, account_last4 as last4, bank_name, csv_mapping as mapping`
type AccountRow = Omit<BankAccount, 'mapping'> & { readonly mapping: unknown }
const stored = ({ mapping, ...row }: AccountRow): BankAccount => ({ ...row, mapping: csvMapping.nullable().parse(mapping) })

/**
 * Throws 422 if the account is that of a client out of reach, as one that several clients share may be.
 * @returns the account of a profile in reach, with its number, which is shown to nobody.
 */
export async function accountOfProfile(context: Context, profileId: number): Promise<{ account: BankAccount; number: string }> {
  const { client_id } = await readRow(context, originatingProfiles, profileId, askedBy(context, {}))
  const profile = (await readProfiles(context, client_id === null ? [] : [client_id])).find(({ id }) => id === profileId)
  const found = profile ? accountOf(context, profile) : null
  if (!profile || found === null) throw invalid({ originating_profile_id: ['This bank profile has no account number'] })
  const { rows } =
    await sql<AccountRow>`select ${columns} from bank_accounts where account_fingerprint = decode(${found.fingerprint}, 'hex')`.execute(
      context.tx,
    )
  const [row] = rows
  const fresh = { id: null, payer_id: client_id ?? 0, ...found, bank_name: profile.bank_name ?? '', mapping: null }
  const account = row ? stored(row) : fresh
  if (!(await reaches(context, account.payer_id))) throw outOfReach('originating_profile_id')
  return { account, number: profile.account_number ?? '' }
}

export const outOfReach = (field: string) =>
  invalid({ [field]: ['This account pays for clients that you do not reach. Somebody who reaches them must read its statements.'] })

async function reaches({ tx, reach }: Context, payerId: number): Promise<boolean> {
  const scope = { client: sql`payer.id`, levels: {} }
  const { rows } = await sql<{ reached: boolean }>`select ${scopeCondition({ scope }, { reach })} as reached
    from (select ${payerId}::bigint as id) payer`.execute(tx)
  return rows[0]?.reached ?? false
}

/** Stores the account if it is new, and locks it: whoever reads or matches its statements at the same time waits here. */
export async function lockAccount({ tx }: Context, account: BankAccount): Promise<BankAccount & { readonly id: number }> {
  const { payer_id, fingerprint, last4, bank_name } = account
  await sql`insert into bank_accounts (payer_id, account_fingerprint, account_last4, bank_name, created_at)
    values (${payer_id}, decode(${fingerprint}, 'hex'), ${last4}, ${bank_name}, ${now()}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<AccountRow & { readonly id: number }>`select ${columns} from bank_accounts
    where account_fingerprint = decode(${fingerprint}, 'hex') for update`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a bank account that was stored is not there')
  return { ...stored(row), id: row.id }
}

/** The account of a statement in reach. */
export async function accountOfStatement({ tx }: Context, statementId: number): Promise<BankAccount> {
  const { rows } = await sql<AccountRow>`select ${columns} from bank_accounts
    where id = (select bank_account_id from bank_statements where id = ${statementId})`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a statement has no bank account')
  return stored(row)
}

export interface Paying {
  /** Clients whose own default profile has the account. */
  readonly clients: readonly number[]
  /** True if it is the provider's account, which pays for every client without a profile. */
  readonly isProviders: boolean
}

export async function payingFrom(context: Context, { fingerprint, last4 }: BankAccount): Promise<Paying> {
  const { rows } = await sql<{ client_id: number }>`select distinct client_id from originating_profiles
    where active and is_default and right(account_number_last4, 1) = right(${last4}, 1)`.execute(context.tx)
  const profiles = await readProfiles(
    context,
    rows.map(({ client_id }) => client_id),
  )
  const pays = (profile: ProfileForFile | null): boolean => profile !== null && accountOf(context, profile)?.fingerprint === fingerprint
  const clients = rows.map(({ client_id }) => client_id).filter((id) => id !== 0 && pays(profileOfPayer(id, profiles)))
  return { clients, isProviders: pays(profileOfPayer(0, profiles)) }
}
