/** The calls of bill retrieval. */
import { z } from 'zod'
import { accountTypes } from '../bills/bill.ts'
import { call, exportOf, listReply, started, type ListReply } from '../kernel/call.ts'
import { listInput } from '../kernel/query.ts'
import { type StatementCounts, statementCounts, serviceStatus, accountsNeeded, count, choiceBody, importBody } from './bill-retrieval.ts'
import { type RetrievedStatement, retrievedStatement } from './retrieved-statement.ts'

const base = '/clients/:client_id/bill_retrieval'
const may = 'bill.create'
const recordsReply: z.ZodType<ListReply<'records', RetrievedStatement> & { counts?: StatementCounts | undefined }> = z.intersection(
  listReply('records', retrievedStatement.row),
  z.object({ counts: statementCounts.optional() }),
)
const fileParams = z.object({
  client_id: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number),
  file_id: z.string().min(1).max(300),
})

const listStatements = call({
  name: 'bill_retrieval.statements',
  method: 'GET',
  path: `${base}/statements`,
  may,
  summary: 'The fetched statements of a client as third-party bill records, each with its state, and their counts',
  query: listInput,
  reply: recordsReply,
})

export const billRetrievalCalls = {
  list: listStatements,
  exportCsv: exportOf(listStatements, 'fetched statements'),
  status: call({
    name: 'bill_retrieval.status',
    method: 'GET',
    path: `${base}/status`,
    may,
    summary: 'How the retrieval service is and how far its statements are read',
    reply: serviceStatus,
  }),
  fetch: call({
    name: 'bill_retrieval.fetch',
    method: 'POST',
    path: `${base}/fetch`,
    may,
    summary: 'Starts fetching all statements that are not here yet',
    reply: started,
  }),
  pdf: call({
    name: 'bill_retrieval.pdf',
    method: 'GET',
    path: `${base}/statements/:file_id/pdf`,
    may,
    summary: 'The PDF of a statement; the first reading stores it',
    params: fileParams,
    replyKind: 'stream',
  }),
  accountsNeeded: call({
    name: 'bill_retrieval.accounts_needed',
    method: 'GET',
    path: `${base}/accounts_needed`,
    may,
    summary: 'Accounts that statements name and that are not there yet, by utility',
    reply: accountsNeeded,
  }),
  match: call({
    name: 'bill_retrieval.match',
    method: 'POST',
    path: `${base}/match`,
    may,
    summary: 'Says which account the statements of a number belong to; the number becomes an alias of the account',
    body: z.strictObject({
      account_number: z.string().min(1).max(100),
      provider_name: z.string().min(1).max(500),
      account_id: z.int().positive(),
      account_type: z.enum(accountTypes.map((one) => one.value)).optional(),
    }),
    reply: z.object({ success: z.boolean(), message: z.string(), matched: count }),
  }),
  ignore: call({
    name: 'bill_retrieval.ignore',
    method: 'POST',
    path: `${base}/statements/ignore`,
    may,
    summary: 'Puts statements aside that shall not become bills',
    body: choiceBody,
  }),
  unignore: call({
    name: 'bill_retrieval.unignore',
    method: 'POST',
    path: `${base}/statements/unignore`,
    may,
    summary: 'Takes statements back that were put aside',
    body: choiceBody,
  }),
  retrievalImport: call({
    name: 'bills.retrieval_import',
    method: 'POST',
    path: '/clients/:client_id/bills/retrieval_import',
    may,
    summary: 'Starts making bills of the chosen statements, each once however often it is sent',
    body: importBody,
    reply: started,
  }),
}
