/** Statements of banks: read from files, reconciled with the payments that were sent. The front door of the slice. */
import { bankStatementLineCalls } from '#contract/bank-statements/bank-statement-line.ts'
import { bankStatementCalls } from '#contract/bank-statements/bank-statement.ts'
import { outstandingPaymentCalls } from '#contract/bank-statements/outstanding-payment.ts'
import { subtractMoney } from '#contract/kernel/money.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { askedBy, exportHandler, listAnswer, listHandler, readRow } from '../kernel/lists/resource.ts'
import { outstandingOn } from './account-payments.ts'
import { accountOfStatement, lockAccount } from './bank-account.ts'
import { judgeOpenLines } from './clear-lines.ts'
import { askedOutstanding, outstandingPayments, outstandingTotal } from './outstanding-source.ts'
import { previewFile } from './plan-statement.ts'
import { candidatesOf, clearLine, explainLine, undoLine } from './settle-line.ts'
import { bankStatements, statementLines } from './statement-source.ts'
import { discardStatement, readStatementFile } from './store-statement.ts'

export { readStatementFile } from './store-statement.ts'

export const bankStatementHandlers: readonly Handler[] = [
  listHandler(bankStatementCalls.list, bankStatements),
  exportHandler(bankStatementCalls.exportCsv, bankStatements),
  handle(bankStatementCalls.get, async (context, { params }) => {
    const row = await readRow(context, bankStatements, params.id, askedBy(context, {}))
    const outstanding = await outstandingOn(context, await accountOfStatement(context, row.id), row.to_day)
    return { bank_statement: row, outstanding, balance_after: subtractMoney(row.closing, outstanding.total) }
  }),
  handle(bankStatementCalls.preview, (context, { body }) => previewFile(context, body)),
  handle(bankStatementCalls.read, (context, { body }) => readStatementFile(context, body)),
  handle(bankStatementCalls.destroy, async (context, { params }) =>
    discardStatement(context, await readRow(context, bankStatements, params.id, askedBy(context, {}))),
  ),
  handle(bankStatementCalls.match, async (context, { params }) => {
    const { id } = await readRow(context, bankStatements, params.id, askedBy(context, {}))
    const account = await lockAccount(context, await accountOfStatement(context, id))
    const cleared = await judgeOpenLines(context, account, true)
    const lines = cleared === 1 ? '1 line' : `${cleared.toLocaleString('en-US')} lines`
    return { success: true, message: cleared === 0 ? 'Nothing new is certain' : `${lines} cleared`, id }
  }),
  listHandler(bankStatementLineCalls.list, statementLines),
  exportHandler(bankStatementLineCalls.exportCsv, statementLines),
  handle(bankStatementLineCalls.candidates, async (context, { params }) => ({ candidates: await candidatesOf(context, params.id) })),
  handle(bankStatementLineCalls.clear, (context, { params, body }) => clearLine(context, params.id, body)),
  handle(bankStatementLineCalls.explain, (context, { params, body }) => explainLine(context, params.id, body)),
  handle(bankStatementLineCalls.undo, (context, { params, body }) => undoLine(context, params.id, body)),
  handle(outstandingPaymentCalls.list, (context, { query }) => listAnswer(context, outstandingPayments, query, askedOutstanding(context))),
  exportHandler(outstandingPaymentCalls.exportCsv, outstandingPayments, askedOutstanding),
  handle(outstandingPaymentCalls.total, (context) => outstandingTotal(context)),
]
