import { costParameter, costParameterCalls } from '#contract/reference/cost-parameter.ts'
import { settingPages, SettingsTabs } from '../settings/settings.ts'

export const { List, New, Edit } = settingPages({
  entity: costParameter,
  calls: costParameterCalls,
  at: '/settings/cost_parameters',
  columns: ['name', 'active'],
  tabs: SettingsTabs,
})
