/** The calls of services. */
import { z } from 'zod'
import { call, crudCalls, listReply, type Call, type Nothing, type PathParams, type Result } from '../kernel/call.ts'
import { service, type ServiceOrder, order } from './service.ts'

const may = { read: 'service.read', create: 'service.create', update: 'service.update', destroy: 'service.destroy' } as const

const billablePath = '/clients/:client_id/billable_accounts/:billable_account_id/services'
const supplyPath = '/clients/:client_id/supply_accounts/:supply_account_id/services'

export const serviceCalls = {
  ...crudCalls(service, billablePath, may),
  order: orderCall('services.order', billablePath),
}
export const supplyServiceCalls = {
  ...crudCalls(service, supplyPath, may, 'supply_account_services'),
  order: orderCall('supply_account_services.order', supplyPath),
}

/** Sets the order of all services of an account: ranks 1 to n. 409 if the account has other services by now. */
function orderCall<Path extends string>(name: string, path: Path): Call<PathParams<Path>, Nothing, ServiceOrder, Result> {
  return call<string, PathParams<Path>, Nothing, ServiceOrder>({
    name,
    method: 'PUT',
    path: `${path}/order`,
    may: may.update,
    summary: 'Puts the services of an account in order',
    body: order,
  })
}

const serviceOption = z.object({
  id: z.int(),
  meter_number: z.string(),
  service_name_1: z.string().nullable(),
  utility_service_name: z.string().nullable(),
  account_id: z.int(),
  account_number: z.string(),
})
const idText = z.string().regex(/^[1-9]\d{0,15}$/, 'must be an id')
/** Input of every picker, and the utility service of the options. */
const optionInput = {
  utility_service_id: idText.optional(),
  search_term: z.string().max(500).optional(),
  page: z.union([z.string(), z.number()]).optional(),
  per: z.union([z.string(), z.number()]).optional(),
  values: z.string().max(20_000).optional(),
}

export const serviceOptionCalls = {
  ofBillableAccounts: call({
    name: 'services.billable_account_service_options',
    method: 'GET',
    path: '/clients/:client_id/services/billable_account_service_options',
    may: 'service.read',
    summary: 'Services of billable accounts to link a supply account to',
    query: z.strictObject({ ...optionInput, account_id: idText.optional() }),
    reply: listReply('services', serviceOption),
  }),
  ofSupplyAccounts: call({
    name: 'services.supply_account_service_options',
    method: 'GET',
    path: '/clients/:client_id/services/supply_account_service_options',
    may: 'service.read',
    summary: 'Services of supply accounts to pick from',
    query: z.strictObject(optionInput),
    reply: listReply('services', serviceOption),
  }),
}
