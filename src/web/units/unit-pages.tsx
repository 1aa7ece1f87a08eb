import { unit, unitCalls } from '#contract/reference/unit.ts'
import { settingPages, SettingsTabs } from '../settings/settings.ts'

export const { List, New, Edit } = settingPages({
  entity: unit,
  calls: unitCalls,
  at: '/settings/units',
  columns: ['symbol', 'description'],
  tabs: SettingsTabs,
})
