/** The risk queue of the desk: the exceptions that cost money, without bills that a live batch holds. */
import { riskCalls, riskKinds } from '#contract/global-batches/risk.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { exceptionsOf, exceptionSource, listExceptions, summarizeExceptions } from '../exceptions/exceptions.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { defineWhere, startExport } from '../kernel/lists/export.ts'

const isAtRisk = defineWhere(
  'risks_of_the_desk',
  z.object({}),
  () => sql<boolean>`(exception.kind = any(${[...riskKinds]}::text[]) and not exists (select from payment_batch_bills held
    where held.client_id = exception.client_id and held.bill_id = exception.bill_id and held.released_at is null))`,
)
const asked = (context: Context) => ({ ...exceptionsOf(context, undefined), ...isAtRisk({}) })

export const riskHandlers: readonly Handler[] = [
  handle(riskCalls.list, (context, { query }) => listExceptions(context, query, asked(context))),
  handle(riskCalls.summary, (context) => summarizeExceptions(context, asked(context))),
  handle(riskCalls.exportCsv, (context, { query }) =>
    startExport(context, exceptionSource, query, asked(context), riskCalls.exportCsv.name),
  ),
]
