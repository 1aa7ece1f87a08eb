/** The calls of exceptions, of one client and of all. */
import {
  call,
  exportInput,
  listReply,
  started,
  type Call,
  type ExportInput,
  type ListReply,
  type Nothing,
  type Started,
} from '../kernel/call.ts'
import { listInput, type ListInput } from '../kernel/query.ts'
import { type ExceptionRow, type ExceptionSummary, exception, exceptionSummary } from './exception.ts'

export interface ExceptionCalls<Params> {
  readonly list: Call<Params, ListInput, Nothing, ListReply<'exceptions', ExceptionRow>>
  readonly summary: Call<Params, Nothing, Nothing, ExceptionSummary>
  readonly exportCsv: Call<Params, ExportInput, Nothing, Started>
}

export const exceptionCalls = {
  list: call({
    name: 'exceptions.list',
    method: 'GET',
    path: '/clients/:client_id/exceptions',
    may: 'bill.read',
    summary: 'Lists what should not wait at a client, the most urgent first',
    query: listInput,
    reply: listReply('exceptions', exception.row),
  }),
  summary: call({
    name: 'exceptions.summary',
    method: 'GET',
    path: '/clients/:client_id/exceptions/summary',
    may: 'bill.read',
    summary: 'How much should not wait at a client, by kind',
    reply: exceptionSummary,
  }),
  exportCsv: call({
    name: 'exceptions.export',
    method: 'GET',
    path: '/clients/:client_id/exceptions/export_csv',
    effect: 'write',
    may: 'bill.read',
    summary: 'Starts a CSV export of what should not wait at a client',
    query: exportInput,
    reply: started,
  }),
}

export const allExceptionCalls = {
  list: call({
    name: 'exceptions.list_all',
    method: 'GET',
    path: '/exceptions',
    may: 'bill.read',
    summary: 'Lists what should not wait over all clients in reach, the most urgent first',
    query: listInput,
    reply: listReply('exceptions', exception.row),
  }),
  summary: call({
    name: 'exceptions.summary_all',
    method: 'GET',
    path: '/exceptions/summary',
    may: 'bill.read',
    summary: 'How much should not wait over all clients in reach, by kind',
    reply: exceptionSummary,
  }),
  exportCsv: call({
    name: 'exceptions.export_all',
    method: 'GET',
    path: '/exceptions/export_csv',
    effect: 'write',
    may: 'bill.read',
    summary: 'Starts a CSV export of what should not wait over all clients in reach',
    query: exportInput,
    reply: started,
  }),
}
