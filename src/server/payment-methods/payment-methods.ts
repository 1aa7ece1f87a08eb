/** Payment methods: a plain entity of the settings. */
import { paymentMethod, paymentMethodCalls } from '#contract/reference/payment-method.ts'
import type { Handler } from '../kernel/handler.ts'
import { crudHandlers, isFree, optionsHandler, resource } from '../kernel/lists/resource.ts'

export const paymentMethods = resource({
  entity: paymentMethod,
  table: 'payment_methods',
  scope: 'shared',
  search: ['name', 'description'],
  rules: [isFree('payment_methods', 'name', 'Name')],
})

export const paymentMethodHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(paymentMethodCalls, paymentMethods),
  selectOptions: optionsHandler(paymentMethodCalls.selectOptions, paymentMethods, ['id', 'name']),
})
