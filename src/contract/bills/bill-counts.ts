/** Which bills a sum of bills counts: what is owed, once. A void bill was replaced, and a group's child is paid by the group's bill. */
export const billCounts = [
  { value: 'owed', label: 'Owed' },
  { value: 'void', label: 'Not counted: void' },
  { value: 'group_child', label: 'Not counted: in its group bill' },
] as const
export type BillCounts = (typeof billCounts)[number]['value']

/** Bills that a sum left out, by the reason. */
export interface LeftOut {
  readonly void: number
  readonly group_child: number
}

/** What a sum did not count, in words; '' where it counted everything. */
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
