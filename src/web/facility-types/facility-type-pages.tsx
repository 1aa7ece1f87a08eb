import { facilityType, facilityTypeCalls } from '#contract/facility-type.ts'
import { settingPages } from '../settings/setting-pages.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'

export const { List, New, Edit } = settingPages({
  entity: facilityType,
  calls: facilityTypeCalls,
  at: '/settings/facility_types',
  columns: ['name'],
  tabs: SettingsTabs,
})
