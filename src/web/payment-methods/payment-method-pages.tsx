import { paymentMethod, paymentMethodCalls } from '#contract/payment-method.ts'
import { settingPages } from '../settings/setting-pages.tsx'
import { VendorTabs } from '../settings/settings-tabs.tsx'

export const { List, New, Edit } = settingPages({
  entity: paymentMethod,
  calls: paymentMethodCalls,
  at: '/payment_methods',
  columns: ['name', 'description'],
  tabs: VendorTabs,
})
