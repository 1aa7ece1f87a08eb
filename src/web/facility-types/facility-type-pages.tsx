import { facilityType, facilityTypeCalls } from '#contract/reference/facility-type.ts'
import { settingPages, SettingsTabs } from '../settings/settings.ts'

export const { List, New, Edit } = settingPages({
  entity: facilityType,
  calls: facilityTypeCalls,
  at: '/settings/facility_types',
  columns: ['name'],
  tabs: SettingsTabs,
})
