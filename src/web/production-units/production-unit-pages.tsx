import { productionUnit, productionUnitCalls } from '#contract/reference/production-unit.ts'
import { settingPages, SettingsTabs } from '../settings/settings.ts'

export const { List, New, Edit } = settingPages({
  entity: productionUnit,
  calls: productionUnitCalls,
  at: '/settings/production_units',
  columns: ['name'],
  tabs: SettingsTabs,
})
