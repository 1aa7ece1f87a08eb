/** Recipes for the calls of vendor batches and vendor payments. */
import { readyLayout } from '#contract/payment-files/layout-presets.ts'
import type { Asking, Recipes } from './recipe.ts'
import { sql } from 'kysely'
import { insert, makeBill, makeVendorBatch, unique } from './world.ts'

const batchIds = ({ target }: Pick<Asking, 'target'>) => ({ id: target.vendorBatchId })
/** Only a super_admin takes steps away, so the client of a try has none before. */
const withoutSteps = async ({ world: { db }, target }: Pick<Asking, 'world' | 'target'>) => {
  await sql`delete from payment_approval_steps where client_id = ${target.clientId}`.execute(db)
  return {}
}
const ofBatch = ({ target }: Pick<Asking, 'target'>) => ({ payment_batch_id: target.vendorBatchId })
const paymentIds = ({ target }: Pick<Asking, 'target'>) => ({ payment_batch_id: target.vendorBatchId, id: target.vendorPaymentId })
const freshBatch = async ({ world, target }: Asking) => {
  const { vendorBatchId } = await makeVendorBatch(world.db, {
    clientId: target.clientId,
    vendorId: world.shared.vendor,
    notes: unique('Payments'),
  })
  return { id: vendorBatchId }
}
const freshPayment = async ({ world, target }: Asking) => ({
  payment_batch_id: target.vendorBatchId,
  id: await insert(world.db, 'vendor_payments', {
    client_id: target.clientId,
    payment_batch_id: target.vendorBatchId,
    vendor_id: world.shared.vendor,
  }),
})

const profileIds = ({ target }: Pick<Asking, 'target'>) => ({ id: target.bankProfileId })
const freshProfile = async ({ world, target }: Asking) => ({
  id: await insert(world.db, 'originating_profiles', { client_id: target.clientId, name: unique('Profile'), is_default: false }),
})

/** A payment of one bill that is paid. */
const paidPayment = async (asking: Asking) => {
  const { world, target } = asking
  const payment = await freshPayment(asking)
  const bill_id = await makeBill(world.db, target, { billable_account_id: target.accountId })
  const { id: vendor_payment_id, payment_batch_id } = payment
  await insert(world.db, 'payment_batch_bills', {
    client_id: target.clientId,
    bill_id,
    payment_batch_id,
    vendor_payment_id,
    amount_paid: 20,
  })
  await sql`update bills set paid = true, vendor_payment_id = ${vendor_payment_id} where client_id = ${target.clientId} and id = ${bill_id}`.execute(
    world.db,
  )
  return payment
}

export const paymentRecipes: Recipes = {
  'originating_profiles.get': { ids: profileIds },
  'originating_profiles.create': {
    body: ({ source }) => ({ originating_profile: { client_id: source.clientId, name: unique('Profile'), is_default: false } }),
  },
  'originating_profiles.update': {
    ids: profileIds,
    fresh: freshProfile,
    body: () => ({ originating_profile: { name: unique('Profile') } }),
  },
  'originating_profiles.destroy': { ids: profileIds, fresh: freshProfile },
  'profile_layouts.list': { ids: profileIds },
  'profile_layouts.save': {
    ids: profileIds,
    fresh: freshProfile,
    body: () => ({ profile_layout: { format: 'op_worklist', layout: readyLayout('op_worklist'), newest_version: 0 } }),
  },
  'payment_batches.get': { ids: batchIds },
  'payment_batches.create': {
    body: ({ source }) => ({
      payment_batch: { payer_type: 'Client', payer_id: source.clientId, batch_date: '2026-02-02', bills_due_date: '2026-02-16' },
    }),
  },
  'payment_batches.update': { ids: batchIds, body: () => ({ payment_batch: { notes: unique('Notes') } }) },
  'payment_batches.destroy': { ids: batchIds, fresh: freshBatch },
  'payment_batches.bills': { ids: batchIds },
  'payment_batches.new_bills': { ids: batchIds },
  'payment_batches.sync': { ids: batchIds, fresh: freshBatch },
  'payment_batches.bills_export': { ids: batchIds },
  'payment_batches.approval': { ids: batchIds },
  'payment_batches.request_approval': { ids: batchIds, body: () => ({ approval_request: { comment: 'Please' } }) },
  'payment_batches.approve': { ids: batchIds, body: () => ({ approval: { act: 'approve', total: '987.65' } }) },
  'payment_settings.update': {
    ids: withoutSteps,
    // Several people are asked at once. A step that one of them stores is there when another saves, and only a super_admin takes it away.
    body: async ({ world: { db }, who, owner }) => {
      const { rows } = await sql`select from user_roles held join roles on roles.id = held.role_id
        where held.user_id = ${who?.id ?? owner} and roles.name = 'super_admin'`.execute(db)
      const step = { name: unique('Step'), above_amount: '1000000', approver_ids: [who?.id ?? owner] }
      return { payment_setting: rows.length > 0 ? { approval_steps: [step] } : { one_person: false } }
    },
  },
  'payment_batches.voucher_csv': { ids: batchIds },
  'payment_batches.voucher_pdf': { ids: batchIds },
  'vendor_payments.list': { ids: ofBatch },
  'vendor_payments.export': { ids: ofBatch },
  'vendor_payments.get': { ids: paymentIds },
  'vendor_payments.create': { ids: ofBatch, body: ({ world }) => ({ vendor_payment: { vendor_id: world.shared.vendor } }) },
  'vendor_payments.update': { ids: paymentIds, body: () => ({ vendor_payment: { check_number: unique('Check') } }) },
  'vendor_payments.destroy': { ids: paymentIds, fresh: freshPayment },
  'vendor_payments.bills': { ids: paymentIds },
  'vendor_payments.reversals': { ids: paymentIds },
  'vendor_payments.reverse': {
    ids: paymentIds,
    fresh: paidPayment,
    body: () => ({ payment_reversal: { kind: 'other', reversed_date: '2026-02-02', reason: unique('Reason') } }),
  },
  'vendor_payments.generate_payments_pdf': { ids: paymentIds },
}
