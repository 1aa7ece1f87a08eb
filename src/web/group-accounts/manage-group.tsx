import { useQuery } from '@tanstack/react-query'
import type { GroupAccount } from '#contract/accounts/group-account.ts'
import { EntityForm } from '../kernel/forms/entity-form.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { RecordGate } from '../kernel/record-gate.tsx'
import { GroupHeader } from './group-header.tsx'
import { billableGroups, groupAt, groupQuery, supplyGroups, type GroupKind, type GroupParams } from './group-kinds.ts'
import { SubaccountChoice } from './subaccount-choice.tsx'
import { SubaccountNames } from './subaccount-names.tsx'

/** Edits the name and the subaccounts of a group account. */
export function ManageGroupAccount() {
  return <ManageGroup kind={billableGroups} id={usePathId('group_account_id')} />
}

export function ManageGroupSupplyAccount() {
  return <ManageGroup kind={supplyGroups} id={usePathId('group_supply_account_id')} />
}

function ManageGroup({ kind, id }: { kind: GroupKind; id: number }) {
  const params = { client_id: usePathId('client_id'), id }
  const asked = useQuery(groupQuery(kind, params))
  return (
    <>
      <GroupHeader clientId={params.client_id} accountId={id} kind={kind} />
      <RecordGate asked={asked}>{(group) => <GroupForm key={id} kind={kind} params={params} row={group} />}</RecordGate>
    </>
  )
}

function GroupForm({ kind, params, row }: { kind: GroupKind; params: GroupParams; row: GroupAccount }) {
  const subaccounts = `${groupAt(kind, params)}/subaccounts`
  return (
    <EntityForm<GroupAccount, { client_id: number }>
      entity={kind.entity}
      row={row}
      params={params}
      title={kind.manageTitle}
      history={false}
      sections={kind.sections}
      update={(_id, body) => kind.save(params, body)}
      load={() => kind.load(params)}
      slots={{ subaccount_ids: (slot) => <SubaccountChoice {...slot} kind={kind} params={params} /> }}
      said={{ subaccount_ids: (ids) => <SubaccountNames kind={kind} params={params} ids={idsOf(ids)} /> }}
      refreshes={[kind.entity.plural, `${kind.model}s`, 'bills', 'dashboard']}
      backHref={subaccounts}
    />
  )
}

function idsOf(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number) : []
}
