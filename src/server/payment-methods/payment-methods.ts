/** Payment methods: a plain entity of the settings. */
import { paymentMethod, paymentMethodCalls } from '#contract/payment-method.ts'
import type { Handler } from '../kernel/handler.ts'
import { crudHandlers, isFree, optionsHandler, resource } from '../kernel/resource.ts'

export const paymentMethods = resource({
  entity: paymentMethod,
  table: 'payment_methods',
  scope: 'shared',
  search: ['name', 'description'],
  check: isFree('payment_methods', 'name', 'Name'),
})

export const paymentMethodHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(paymentMethodCalls, paymentMethods),
  selectOptions: optionsHandler(paymentMethodCalls.selectOptions, paymentMethods, ['id', 'name']),
})
