/** Option sources of a report's choices. */
import { accountingBatchCalls } from '#contract/accounting-batches/accounting-batch.ts'
import { billableAccountCalls } from '#contract/accounts/billable-account.ts'
import { supplyAccountCalls } from '#contract/accounts/supply-account.ts'
import { divisionCalls } from '#contract/clients/division.ts'
import { facilityCalls } from '#contract/clients/facility.ts'
import { formatDate } from '#contract/kernel/date.ts'
import { formatMoney } from '#contract/kernel/money.ts'
import { paymentBatchCalls } from '#contract/payment-batches/payment-batch.ts'
import { utilityServiceCalls } from '#contract/reference/utility-service.ts'
import { vendorCalls } from '#contract/vendors/vendor.ts'
import { callWith } from '../kernel/api.ts'
import { LONG_LOOKUP, optionsOf, WITHIN_CLIENT, type OptionSource } from '../kernel/forms/picker.tsx'
import { keyOf } from '../kernel/query.ts'
import type { PickerOption } from '../ui/combobox/option-types.ts'

const account = {
  label: ({ account_number }: { account_number: string }) => account_number,
  hint: ({ name }: { name: string }) => name,
}

export function reportSources(client_id: number) {
  const params = { client_id }
  return {
    accounting_batch_ids: clientBatches(client_id),
    payment_batch_ids: vendorBatches(client_id),
    vendor_ids: optionsOf('vendors', vendorCalls.selectOptions, {}),
    utility_service_ids: optionsOf('utility_services', utilityServiceCalls.selectOptions, {}),
    division_ids: optionsOf('divisions', divisionCalls.selectOptions, params, { per: LONG_LOOKUP }),
    facility_ids: optionsOf('facilities', facilityCalls.selectOptions, params, { per: LONG_LOOKUP }),
    billable_account_ids: optionsOf('billable_accounts', billableAccountCalls.selectOptions, params, account),
    supply_account_ids: optionsOf('supply_accounts', supplyAccountCalls.selectOptions, params, account),
  } as const
}

function clientBatches(client_id: number): OptionSource {
  const params = { client_id }
  const shown = ({ id, batch_code }: { id: number; batch_code: string }): PickerOption => ({ id, label: batch_code })
  return {
    key: keyOf(accountingBatchCalls.search, { params }),
    search: async ({ term, page, per }, signal) => {
      const { accounting_batches: found, total } = await callWith(accountingBatchCalls.search, {
        params,
        query: { q: term, page, per },
        signal,
      })
      return { options: found.map(shown), total: total ?? found.length }
    },
    byIds: async (ids, signal) => {
      const query = { q: { id_in: ids }, per: ids.length }
      return (await callWith(accountingBatchCalls.list, { params, query, signal })).accounting_batches.map(shown)
    },
    within: WITHIN_CLIENT,
  }
}

interface VendorBatch {
  readonly id: number
  readonly payer_name: string
  readonly batch_date: string
  readonly batch_total: string | null
}

function vendorBatches(client_id: number): OptionSource {
  const params = { client_id }
  const shown = ({ id, payer_name, batch_date, batch_total }: VendorBatch): PickerOption => ({
    id,
    label: `#${id} ${payer_name}`,
    hint: [formatDate(batch_date), formatMoney(batch_total)].filter(Boolean).join(' · '),
  })
  return {
    key: keyOf(paymentBatchCalls.search, { params }),
    search: async ({ term, page, per }, signal) => {
      const { payment_batches: found, total } = await callWith(paymentBatchCalls.search, { params, query: { q: term, page, per }, signal })
      return { options: found.map(shown), total: total ?? found.length }
    },
    byIds: async (ids, signal) => {
      const query = { q: { id_in: ids }, per: ids.length }
      return (await callWith(paymentBatchCalls.list, { params, query, signal })).payment_batches.map(shown)
    },
    within: WITHIN_CLIENT,
  }
}
