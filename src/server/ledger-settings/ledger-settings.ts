/** The ledger settings of a client: one record per client, created by the first change. */
import { ledgerSetting, ledgerSettingCalls, type LedgerSetting, type LedgerSettingDraft } from '#contract/ledger/ledger-setting.ts'
import { sql } from 'kysely'
import { changesBetween } from '../kernel/audit.ts'
import { now } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { stale } from '../kernel/problem.ts'
import { answerWrite, mustReach } from '../kernel/lists/resource.ts'
import { ledgerAccounts } from '../ledger-accounts/ledger-accounts.ts'

const accountKeys = ['payable_ledger_account_id', 'prior_balance_ledger_account_id', 'late_fee_ledger_account_id'] as const
const keys = [
  ...accountKeys,
  'spread_by',
  'batch_flagged_bills',
  'batch_code_pattern',
  'service_fee',
  'service_fee_by',
  'remit_instructions',
] as const

export const ledgerSettingHandlers: readonly Handler[] = [
  handle(ledgerSettingCalls.get, async ({ tx }, { params }) => ({ ledger_setting: await readSettings(tx, params.client_id) })),
  handle(ledgerSettingCalls.update, async (context, { params, body }) => {
    const row = await saveSettings(context, params.client_id, body.ledger_setting)
    return answerWrite(ledgerSetting, 'updated', row)
  }),
]

/** Returns the current settings; a client that never changed them has the defaults. */
async function readSettings(tx: Context['tx'], clientId: number, lock = false): Promise<LedgerSetting> {
  const { rows } = await sql<LedgerSetting>`select client_id as id, client_id, payable_ledger_account_id, prior_balance_ledger_account_id,
      late_fee_ledger_account_id, spread_by, batch_flagged_bills, batch_code_pattern, service_fee, service_fee_by, remit_instructions, lock_version
    from client_ledger_settings where client_id = ${clientId} ${lock ? sql`for update` : sql``}`.execute(tx)
  return (
    rows[0] ?? {
      id: clientId,
      client_id: clientId,
      payable_ledger_account_id: null,
      prior_balance_ledger_account_id: null,
      late_fee_ledger_account_id: null,
      spread_by: 'cost',
      batch_flagged_bills: false,
      batch_code_pattern: null,
      service_fee: '0.00',
      service_fee_by: 'bill',
      remit_instructions: null,
      lock_version: 0,
    }
  )
}

type Sent = Partial<LedgerSettingDraft> & { readonly lock_version?: number | undefined }

async function saveSettings(context: Context, clientId: number, { lock_version: version, ...sent }: Sent): Promise<LedgerSetting> {
  await sql`insert into client_ledger_settings (client_id) values (${clientId}) on conflict (client_id) do nothing`.execute(context.tx)
  const before = await readSettings(context.tx, clientId, true)
  if (version !== undefined && version !== before.lock_version) throw stale(changesBetween({ ...before }, { ...sent }, Object.keys(sent)))
  for (const key of accountKeys) {
    const id = sent[key]
    if (id !== undefined && id !== null && id !== before[key]) await mustReach(context, ledgerAccounts, [id], key, clientId)
  }
  const after: LedgerSetting = { ...before, ...defined(sent), lock_version: before.lock_version + 1 }
  await sql`update client_ledger_settings set payable_ledger_account_id = ${after.payable_ledger_account_id}::bigint,
      prior_balance_ledger_account_id = ${after.prior_balance_ledger_account_id}::bigint, late_fee_ledger_account_id = ${after.late_fee_ledger_account_id}::bigint,
      spread_by = ${after.spread_by}, batch_flagged_bills = ${after.batch_flagged_bills}, batch_code_pattern = ${after.batch_code_pattern},
      service_fee = ${after.service_fee}, service_fee_by = ${after.service_fee_by}, remit_instructions = ${after.remit_instructions}, lock_version = ${after.lock_version}, updated_at = ${now()}
    where client_id = ${clientId}`.execute(context.tx)
  await context.audit.updated('ledger_setting', clientId, clientId, changesBetween({ ...before }, { ...after }, keys))
  return after
}

/** Returns the sent values without undefined keys. */
function defined(sent: Omit<Sent, 'lock_version'>): Partial<LedgerSetting> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
}
