/** The calls of issued checks. */
import { z } from 'zod'
import { call, crudCalls, result } from '../kernel/call.ts'
import { sum } from '../payment-batches/payment-bill.ts'
import { checkFileMax, issuedCheck, checkNumberDraft, plannedCheck, waitingAccount } from './issued-check.ts'

const sentFile = z.strictObject({
  content: z
    .string('Content must be text')
    .min(1, 'The file is empty')
    .max(checkFileMax, `The file must have at most ${checkFileMax.toLocaleString('en-US')} characters`),
})

const path = '/issued_checks'
const { list, exportCsv } = crudCalls(issuedCheck, path, {
  read: 'global_batch.read',
  create: 'global_batch.create',
  update: 'global_batch.update',
  destroy: 'global_batch.destroy',
})

export const issuedCheckCalls = {
  list,
  exportCsv,
  record: call({
    name: 'issued_checks.record',
    method: 'PATCH',
    path: `${path}/:id`,
    may: 'global_batch.update',
    summary: 'Records the number and the day of a check, or corrects them while the bank was not told of it',
    body: z.strictObject({ issued_check: checkNumberDraft }),
    reply: result,
  }),
  preview: call({
    name: 'issued_checks.preview',
    method: 'POST',
    path: `${path}/preview`,
    effect: 'read',
    may: 'global_batch.update',
    summary: 'What reading a CSV file of check numbers would record; nothing is stored',
    heavy: true,
    body: sentFile,
    reply: z.object({ checks: z.array(plannedCheck), recorded: z.int(), total: sum }),
  }),
  read: call({
    name: 'issued_checks.read',
    method: 'POST',
    path,
    may: 'global_batch.update',
    summary: 'Reads a CSV file of check numbers: records all of them or, if a row is wrong, none',
    heavy: true,
    body: sentFile,
    reply: z.object({ success: z.boolean(), message: z.string(), recorded: z.int() }),
  }),
  waiting: call({
    name: 'positive_pay.waiting',
    method: 'GET',
    path: '/positive_pay',
    may: 'global_batch.read',
    summary: 'The issued and void checks that their banks were not told of yet, by account',
    reply: z.object({ accounts: z.array(waitingAccount), numbers_missing: z.int() }),
  }),
  exportPositivePay: call({
    name: 'positive_pay.export_file',
    method: 'POST',
    path: '/positive_pay',
    may: 'global_batch.update',
    summary: 'Writes the positive pay file of a bank profile: each check once as issued and once as void',
    heavy: true,
    body: z.strictObject({ originating_profile_id: z.int().positive() }),
    reply: z.object({
      success: z.boolean(),
      message: z.string(),
      id: z.int(),
      file_name: z.string(),
      batch_file_url: z.string(),
      issued: z.int(),
      issued_total: sum,
      void: z.int(),
      void_total: sum,
    }),
  }),
}
