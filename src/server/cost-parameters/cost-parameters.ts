/** Cost parameters: a plain entity of the settings. */
import { costParameter, costParameterCalls } from '#contract/reference/cost-parameter.ts'
import type { Handler } from '../kernel/handler.ts'
import { crudHandlers, isFree, optionsHandler, resource } from '../kernel/lists/resource.ts'

const costParameters = resource({
  entity: costParameter,
  table: 'cost_parameters',
  scope: 'shared',
  search: ['name'],
  rules: [isFree('cost_parameters', 'name', 'Name')],
})

export const costParameterHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(costParameterCalls, costParameters),
  selectOptions: optionsHandler(costParameterCalls.selectOptions, costParameters, ['id', 'name']),
})
