import { unit, unitCalls } from '#contract/unit.ts'
import { settingPages } from '../settings/setting-pages.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'

export const { List, New, Edit } = settingPages({
  entity: unit,
  calls: unitCalls,
  at: '/settings/units',
  columns: ['symbol', 'description'],
  tabs: SettingsTabs,
})
