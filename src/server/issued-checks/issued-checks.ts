/** Numbers of the desk's checks, and the positive pay files that report them to banks. The front door of the slice. */
import { issuedCheckCalls } from '#contract/issued-checks/issued-check-calls.ts'
import { sumMoney } from '#contract/kernel/money.ts'
import { handleProven } from '../access/access.ts'
import { keyOf } from '../global-batches/global-batches.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { exportHandler, listAnswer } from '../kernel/lists/resource.ts'
import { askedChecks, issuedChecks } from './check-source.ts'
import { exportPositivePay } from './positive-pay.ts'
import { layFile, plannedOf } from './read-check-file.ts'
import { recordNumber, storeNumbers } from './record-numbers.ts'
import { numbersMissing, waitingAccounts } from './unreported-checks.ts'

export { accountOf } from './check-accounts.ts'

export const issuedCheckHandlers: readonly Handler[] = [
  handle(issuedCheckCalls.list, (context, { query }) => listAnswer(context, issuedChecks, query, askedChecks(context))),
  exportHandler(issuedCheckCalls.exportCsv, issuedChecks, askedChecks),
  handle(issuedCheckCalls.record, (context, { params, body }) => recordNumber(context, params.id, body.issued_check)),
  handle(issuedCheckCalls.preview, async (context, { body }) => {
    const checks = (await layFile(context, body.content, false)).map(plannedOf)
    const fresh = checks.filter(({ known }) => !known)
    return { checks, recorded: fresh.length, total: sumMoney(fresh.map(({ amount }) => amount)) }
  }),
  handle(issuedCheckCalls.read, async (context, { body }) => {
    const laid = await layFile(context, body.content, true)
    const recorded = await storeNumbers(context, laid)
    const known = laid.length - recorded
    const message = `${recorded === 1 ? '1 check number' : `${recorded.toLocaleString('en-US')} check numbers`} recorded`
    return { success: true, message: known === 0 ? message : `${message}, ${known.toLocaleString('en-US')} known already`, recorded }
  }),
  handle(issuedCheckCalls.waiting, async (context) => ({
    accounts: await waitingAccounts(context),
    numbers_missing: await numbersMissing(context),
  })),
  handleProven(issuedCheckCalls.exportPositivePay, (context, { body, http }) =>
    exportPositivePay(context, body.originating_profile_id, keyOf(context, http)),
  ),
]
