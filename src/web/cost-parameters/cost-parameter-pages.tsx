import { costParameter, costParameterCalls } from '#contract/cost-parameter.ts'
import { settingPages } from '../settings/setting-pages.tsx'
import { SettingsTabs } from '../settings/settings-tabs.tsx'

export const { List, New, Edit } = settingPages({
  entity: costParameter,
  calls: costParameterCalls,
  at: '/settings/cost_parameters',
  columns: ['name', 'active'],
  tabs: SettingsTabs,
})
