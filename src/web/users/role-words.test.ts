import { describe, expect, test } from 'vitest'
import { models } from '#contract/kernel/permission.ts'
import { permissionsOfRole, roleNames } from '#contract/access/rights.ts'
import { roleLabels } from '#contract/users/user-role.ts'
import { areas, narrowingNote, reachSentence, rightsOf, rightsSentence, type RoleScopeWords } from './role-words.ts'

const nowhere: RoleScopeWords = { clients: [], partner: null, narrowedTo: [] }
const inTwo: RoleScopeWords = { ...nowhere, clients: ['Harbor Foods', 'Bay Foods'] }
const atDock: RoleScopeWords = {
  ...nowhere,
  clients: ['Harbor Foods'],
  narrowedTo: [{ noun: 'facility', nouns: 'facilities', names: ['Dock 4'] }],
}

describe('what a role means', () => {
  test('the areas hold every model once, and all models of an area have the same rights in every role', () => {
    expect(areas.flatMap((area) => area.models).toSorted()).toEqual(models.toSorted())
    for (const role of roleNames) {
      const map = permissionsOfRole(role)
      for (const area of areas)
        for (const model of area.models) expect(map[model], `${role} ${model}`).toEqual(map[area.models[0] ?? model])
    }
  })

  test('every role has a name of its own for people', () => {
    expect(new Set(roleNames.map((role) => roleLabels[role])).size).toBe(roleNames.length)
  })

  test('says where it reaches', () => {
    expect(reachSentence('super_admin', nowhere)).toBe('Super Admin in every client')
    expect(reachSentence('muc_admin', inTwo)).toBe('MUC Admin in Harbor Foods and Bay Foods')
    expect(reachSentence('client_manager', { ...nowhere, clients: ['A', 'B', 'C', 'D'] })).toBe('Client Manager in 4 clients')
    expect(reachSentence('client_admin', nowhere)).toBe('Client Admin in a client yet to be chosen')
    expect(reachSentence('channel_partner_admin', { ...nowhere, partner: 'Gulf Energy' })).toBe(
      'Channel Partner Admin for the clients of Gulf Energy',
    )
    expect(reachSentence('client_user', atDock)).toBe('Client User in Harbor Foods, only in the facility Dock 4 and what lies below')
    expect(
      reachSentence('client_user', {
        ...atDock,
        narrowedTo: [...atDock.narrowedTo, { noun: 'division', nouns: 'divisions', names: ['East', 'West'] }],
      }),
    ).toBe('Client User in Harbor Foods, only in the facility Dock 4 and 2 divisions and what lies below')
  })

  test('says what may be done, the strongest first, and nothing twice', () => {
    expect(rightsSentence('client_manager', inTwo)).toBe(
      'may create, change and delete reports; create and change divisions, facilities, accounts, services, bills, bill documents, bill notes, client batches, ledgers and site surveys; read clients, vendor batches, users, vendors and utility services.',
    )
    expect(rightsSentence('read_only_user', inTwo)).toMatch(/^may read clients, divisions.* and utility services\.$/)
    expect(rightsSentence('channel_partner_admin', nowhere)).toMatch(
      /change the name and logo of their channel partner; read vendors, utility services and the audit log of their clients\.$/,
    )
    expect(rightsSentence('read_only_user', inTwo)).not.toMatch(/create|change|delete|bill notes|users/)
  })

  test('a narrowed role loses batches and ledgers, and says so', () => {
    expect(rightsSentence('client_user', atDock)).not.toMatch(/batches|ledgers/)
    expect(rightsOf('client_user', atDock).has('accounting_batch')).toBe(false)
    expect(rightsOf('client_user', inTwo).has('accounting_batch')).toBe(true)
    expect(narrowingNote('client_user', atDock)).toBe(
      'Without client batches and ledgers: they hold bills of the whole client, and this role is narrowed.',
    )
    expect(narrowingNote('client_user', inTwo)).toBeUndefined()
  })

  test('what belongs to no client is changed by who reaches every client, and the sentence says so [PERM-RULE-006]', () => {
    expect(rightsOf('muc_admin', nowhere).get('vendor')).toEqual(['create', 'read', 'update', 'destroy'])
    expect(rightsOf('muc_admin', inTwo).get('vendor')).toEqual(['read'])
    expect(rightsSentence('muc_admin', inTwo)).not.toMatch(/bank details of vendors/)
  })
})
