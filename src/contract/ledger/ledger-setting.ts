/**
 * The ledger settings of a client: the accounts of balances, late fees and the payable, how charges are spread, which bills may be batched, and
 * the texts of batches and invoices.
 */
import { call, draftBody, oneReply, writeReply } from '../kernel/call.ts'
import { codeWords, patternFault } from '../accounting-batches/name-pattern.ts'
import { serviceFeeBys } from '../accounting-batches/invoice.ts'
import {
  boolean,
  choice,
  decimal,
  defaulted,
  derived,
  entity,
  helped,
  longText,
  optional,
  ref,
  text,
  type Draft,
  type Field,
  type Row,
} from '../kernel/entity.ts'

const spreads = [
  { value: 'cost', label: 'By cost' },
  { value: 'usage', label: 'By usage' },
] as const

/** Maximum length of the payment instructions. */
const remitMax = 1_000
/** Maximum length of a pattern of batch codes. */
const patternMax = 100

export const ledgerSetting = entity(
  'ledger_setting',
  'ledger_settings',
  {
    payable_ledger_account_id: helped(
      optional(ref('Payable Ledger Account', 'ledger_accounts')),
      'Each bill is credited here. Leave it empty where the ledger adds the credit itself.',
    ),
    prior_balance_ledger_account_id: helped(
      optional(ref('Prior Balance Ledger Account', 'ledger_accounts')),
      'Balances of earlier bills clear here. They were expensed with those bills.',
    ),
    late_fee_ledger_account_id: helped(
      optional(ref('Late Fee Ledger Account', 'ledger_accounts')),
      'Leave it empty to spread late fees over the lines of their bill.',
    ),
    spread_by: helped(
      defaulted(choice('Spread By', spreads), 'cost'),
      'How charges that belong to no meter are spread over the lines of their bill.',
    ),
    batch_flagged_bills: helped(
      defaulted(boolean('Batch Flagged Bills'), false),
      'Whether bills with open errors may be batched. A bill whose header does not add up never closes with a batch.',
    ),
    batch_code_pattern: helped(
      optional(pattern('Batch Code Pattern')),
      `New batches are called by it, such as {client}-{YYYY}-{MM}-{n}. It may hold ${codeWords.map((word) => `{${word}}`).join(', ')}.`,
    ),
    service_fee: helped(
      defaulted(decimal('Service Fee', 2, { min: 0, whole: 8 }), '0.00'),
      'A line of its own on the invoice, after the bills. 0 leaves it out.',
    ),
    service_fee_by: defaulted(choice('Service Fee By', serviceFeeBys), 'bill'),
    remit_instructions: helped(
      optional(longText('Remit Instructions', remitMax)),
      'How the client pays, at the end of each invoice: bank, account, reference.',
    ),
    client_id: derived(ref('Client', 'clients')),
  },
  { filter: ['id'], sort: ['id'], defaultSort: 'id asc' },
)
export type LedgerSetting = Row<typeof ledgerSetting>
export type LedgerSettingDraft = Draft<typeof ledgerSetting>

/** A pattern with only known words. */
function pattern(label: string): Field<string, 'required'> {
  const field = text(label, patternMax)
  return {
    ...field,
    schema: field.schema.superRefine((value, context) => {
      const fault = patternFault(value, codeWords)
      if (fault !== null) context.addIssue({ code: 'custom', message: fault })
    }),
  }
}

const path = '/clients/:client_id/ledger_settings'

/** One record for each client: it is read and changed, never created or deleted. Its id is the client's. */
export const ledgerSettingCalls = {
  get: call({
    name: 'ledger_settings.get',
    method: 'GET',
    path,
    may: 'ledger_account.read',
    summary: 'Reads the ledger settings of a client',
    reply: oneReply('ledger_setting', ledgerSetting.row),
  }),
  update: call({
    name: 'ledger_settings.update',
    method: 'PATCH',
    path,
    may: 'ledger_account.update',
    summary: 'Changes the ledger settings of a client',
    body: draftBody('ledger_setting', ledgerSetting.patch),
    reply: writeReply('ledger_setting', ledgerSetting.row),
  }),
}
