import { paymentMethod, paymentMethodCalls } from '#contract/reference/payment-method.ts'
import { settingPages, VendorTabs } from '../settings/settings.ts'

export const { List, New, Edit } = settingPages({
  entity: paymentMethod,
  calls: paymentMethodCalls,
  at: '/payment_methods',
  columns: ['name', 'description'],
  tabs: VendorTabs,
})
