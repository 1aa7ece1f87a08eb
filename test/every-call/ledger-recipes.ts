/** Recipes for the calls of ledger fields, ledger accounts, ledger settings and client batches. */
import { genericLayout } from '#contract/accounting-batches/ready-layouts.ts'
import { sql } from 'kysely'
import type { Asking, Recipes } from './recipe.ts'
import { insert, makeExportProfile, missingId, unique, uploadBytes } from './world.ts'

const fieldIds = ({ target }: Pick<Asking, 'target'>) => ({ id: target.ledgerFieldId })
const accountIds = ({ target }: Pick<Asking, 'target'>) => ({ id: target.ledgerAccountId })
const freshField = async ({ world: { db }, target }: Asking) => ({
  id: await insert(db, 'ledger_fields', { client_id: target.clientId, name: unique('Field'), description: 'A field', order: 9 }),
})
const freshAccount = async ({ world: { db }, target }: Asking) => ({
  id: await insert(db, 'ledger_accounts', { client_id: target.clientId, name: unique('Account') }),
})

const batchIds = ({ target }: Pick<Asking, 'target'>) => ({ id: target.clientBatchId })
const freshBatch = async ({ world: { db }, target }: Asking) => ({
  id: await insert(db, 'accounting_batches', { client_id: target.clientId, batch_code: unique('Batch') }),
})

/** Returns the version of the batch's upload file, whose bytes are in the store from now on. */
const fileIds = async ({ app, world: { db }, target }: Asking) => {
  const { rows } = await sql<{ id: number; key: string }>`select made.id, file.key from accounting_batch_files made
    join files file on file.id = made.file_id where made.accounting_batch_id = ${target.clientBatchId}`.execute(db)
  for (const { key } of rows) await app.machinery.files.put(key, uploadBytes, 'text/csv')
  return { id: target.clientBatchId, file_id: rows[0]?.id ?? missingId }
}

const profileIds = ({ target }: Pick<Asking, 'target'>) => ({ id: target.exportProfileId })
const freshProfile = async ({ world: { db }, target }: Asking) => ({ id: await makeExportProfile(db, target.clientId, unique('Profile')) })

export const ledgerRecipes: Recipes = {
  'ledger_fields.get': { ids: fieldIds },
  'ledger_fields.create': { body: () => ({ ledger_field: { name: unique('Field'), description: 'A field', order: 5 } }) },
  'ledger_fields.update': { ids: fieldIds, fresh: freshField, body: () => ({ ledger_field: { name: unique('Field') } }) },
  'ledger_fields.destroy': { ids: fieldIds, fresh: freshField },
  'ledger_accounts.get': { ids: accountIds },
  'ledger_accounts.create': { body: () => ({ ledger_account: { name: unique('Account') } }) },
  'ledger_accounts.update': { ids: accountIds, fresh: freshAccount, body: () => ({ ledger_account: { name: unique('Account') } }) },
  'ledger_accounts.destroy': { ids: accountIds, fresh: freshAccount },
  'ledger_settings.update': { body: () => ({ ledger_setting: { spread_by: 'usage' } }) },
  'accounting_batches.get': { ids: batchIds },
  'accounting_batches.create': { body: () => ({ accounting_batch: { batch_code: unique('Batch') } }) },
  'accounting_batches.update': { ids: batchIds, fresh: freshBatch, body: () => ({ accounting_batch: { batch_code: unique('Batch') } }) },
  'accounting_batches.destroy': { ids: batchIds, fresh: freshBatch },
  'accounting_batches.bills': { ids: batchIds },
  'accounting_batches.new_bills': { ids: batchIds },
  'accounting_batches.ledger': { ids: batchIds },
  'accounting_batches.ledger_lines': { ids: batchIds, query: () => 'kind=expense' },
  'bills.ledger_lines': { ids: ({ target }) => ({ id: target.billId }) },
  'accounting_batches.bills_export': { ids: batchIds },
  'accounting_batches.files': { ids: batchIds },
  'accounting_batches.upload_file': { ids: async (asking) => ({ id: (await fileIds(asking)).id }) },
  'accounting_batches.generate_upload_file': { ids: batchIds },
  'accounting_batches.file': { ids: fileIds },
  'accounting_batches.upload_lines': { ids: batchIds },
  'export_profiles.get': { ids: profileIds },
  'export_profiles.create': { body: () => ({ export_profile: { name: unique('Profile'), layout: genericLayout } }) },
  'export_profiles.update': { ids: profileIds, fresh: freshProfile, body: () => ({ export_profile: { name: unique('Profile') } }) },
  'export_profiles.destroy': { ids: profileIds, fresh: freshProfile },
  'accounting_batches.invoice': { ids: batchIds },
  'accounting_batches.generate_invoice_pdf': { ids: batchIds },
  'accounting_batches.generate_invoice_csv': { ids: batchIds },
}
