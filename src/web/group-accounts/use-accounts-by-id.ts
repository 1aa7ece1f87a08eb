/** Loads accounts of which only the ids are known: those of a group account, and those of a kept draft. */
import { useQuery } from '@tanstack/react-query'
import type { Subaccount } from '#contract/accounts/subaccount.ts'
import { callWith } from '../kernel/api.ts'
import { keyOf } from '../kernel/query.ts'
import type { GroupKind, GroupParams } from './group-kinds.ts'

/** Ids per request, because an address must not grow too long. */
const IDS_A_REQUEST = 500

export function useAccountsById({ candidates: call }: GroupKind, params: GroupParams, ids: readonly number[]) {
  return useQuery({
    queryKey: keyOf(call, { params, ids }),
    queryFn: async ({ signal }): Promise<readonly Subaccount[]> => {
      const replies = await Promise.all(
        partsOf(ids).map((part) => {
          const query = { values: JSON.stringify(part), per: IDS_A_REQUEST, with_total: false }
          return callWith(call, { params, query, signal })
        }),
      )
      return replies.flatMap((reply) => reply.subaccounts)
    },
    enabled: ids.length > 0,
  })
}

function partsOf(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / IDS_A_REQUEST) }, (_, part) =>
    ids.slice(part * IDS_A_REQUEST, (part + 1) * IDS_A_REQUEST),
  )
}
