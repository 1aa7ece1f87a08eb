/** Which bills a sum counts: each amount owed, once. A void bill was replaced, and a group's child is paid by the group's bill. */
export const billCounts = [
  { value: 'owed', label: 'Owed' },
  { value: 'void', label: 'Not counted: void' },
  { value: 'group_child', label: 'Not counted: in its group bill' },
] as const
export type BillCounts = (typeof billCounts)[number]['value']

/** Bills left out of a sum, by reason. */
export interface LeftOut {
  readonly void: number
  readonly group_child: number
}

/** Describes what a sum did not count; '' if it counted everything. */
export function leftOutWords(left: LeftOut): string {
  const parts = [
    ...(left.void > 0 ? [`${figure(left.void)} void`] : []),
    ...(left.group_child > 0 ? [`${figure(left.group_child)} group ${left.group_child === 1 ? 'child' : 'children'}`] : []),
  ]
  return parts.length === 0 ? '' : `${parts.join(' and ')} not counted`
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
