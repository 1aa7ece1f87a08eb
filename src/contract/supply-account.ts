/** A supply account: the account at a supplier beside the one at the utility. So far only to pick from. */
import { z } from 'zod'
import { optionsCall } from './kernel/call.ts'
import { boolean, derived, entity, ref, text } from './kernel/entity.ts'
import { searchCall } from './lookup.ts'

export const supplyAccount = entity(
  'supply_account',
  'supply_accounts',
  {
    name: text('Name'),
    account_number: text('Account Number', 100),
    is_group_account: derived(boolean('Group Account')),
    client_id: derived(ref('Client', 'clients')),
  },
  { filter: ['id', 'name', 'account_number'], sort: ['name', 'account_number', 'id'], defaultSort: 'account_number asc' },
)

const option = z.object({ id: z.int(), name: z.string(), account_number: z.string(), client_id: z.int() })

export const supplyAccountCalls = {
  selectOptions: optionsCall('supply_accounts', '/clients/:client_id/supply_accounts/select_options', 'supply_account.read', option),
  numberSearch: searchCall(
    'supply_accounts',
    '/clients/:client_id/supply_accounts/account_number_search',
    'supply_account.read',
    option,
    'supply_accounts.account_number_search',
  ),
}
