import { productionUnit, productionUnitCalls } from '#contract/production-unit.ts'
import { settingPages } from '../settings/setting-pages.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'

export const { List, New, Edit } = settingPages({
  entity: productionUnit,
  calls: productionUnitCalls,
  at: '/settings/production_units',
  columns: ['name'],
  tabs: SettingsTabs,
})
