/**
 * The risk queue of the desk: what is due soonest over all clients, and bills that are expected and not yet here, with what lateness costs. They
 * are the exceptions that cost money, without bills that a batch holds already.
 */
import { exception, exceptionSummary, type ExceptionKind } from '../exceptions/exception.ts'
import { call, exportInput, listReply, started } from '../kernel/call.ts'
import { listInput } from '../kernel/query.ts'

/** The kinds of exceptions that ask for money, the most urgent first. */
export const riskKinds = ['past_due', 'due_soon', 'not_received'] as const satisfies readonly ExceptionKind[]

const path = '/global_batches/risks'

export const riskCalls = {
  list: call({
    name: 'global_risks.list',
    method: 'GET',
    path,
    may: 'global_batch.read',
    summary: 'The risk queue: bills over all clients in reach that are late or due within a week, and expected bills that are not here yet',
    query: listInput,
    reply: listReply('exceptions', exception.row),
  }),
  summary: call({
    name: 'global_risks.summary',
    method: 'GET',
    path: `${path}/summary`,
    may: 'global_batch.read',
    summary: 'What the risk queue comes to, and what lateness costs, by kind',
    reply: exceptionSummary,
  }),
  exportCsv: call({
    name: 'global_risks.export',
    method: 'GET',
    path: `${path}/export_csv`,
    effect: 'write',
    may: 'global_batch.read',
    summary: 'Starts a CSV export of the risk queue',
    query: exportInput,
    reply: started,
  }),
}
