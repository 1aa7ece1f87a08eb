/** Recipes for the calls of users and their roles: a user of each place, with a role that is narrowed to its division. */
import { addRole, makePerson } from '../support/app.ts'
import { guard } from '../support/second-factor.ts'
import type { Asking, Recipe, Recipes } from './recipe.ts'
import { firstId, unique, type Place } from './world.ts'

const readOnly = { role_id: 7 }
const changed = () => ({ user: { title: unique('Title') } })
const account = () => ({ user: { email: `${unique('made').replace(' ', '-')}@example.test`, username: unique('made') } })
const granted = ({ source }: Asking) => ({ user_role: { ...readOnly, client_id: source.clientId, division_ids: [source.divisionId] } })

/** A call under a role is about a user who has it, and the role. */
function role(rest: Recipe = {}): Recipe {
  return { ids: roleIds, ...rest }
}

export const userRecipes: Recipes = {
  'users.prove': { body: () => ({ password: 'of nobody' }) },
  'users.confirm_second_factor': { body: () => ({ code: '000000' }) },
  'users.renew_recovery_codes': { body: () => ({ code: '000000' }) },
  'users.remove_second_factor': { body: () => ({ code: '000000' }) },
  'users.remove_second_factor_of': { ids: guardedIds },
  'users.create': { body: account },
  'users.get': { ids: userIds },
  'users.update': { ids: userIds, body: changed },
  'users.update#above': { ids: aboveIds, body: changed },
  'users.destroy': { ids: userIds },
  'users.destroy#above': { ids: aboveIds },
  'users.resend_confirmation_email': { ids: userIds },
  'users.update_profile': { body: changed },
  'user_roles.list': { ids: async (asking) => ({ user_id: (await userIds(asking)).id }) },
  'user_roles.export': { ids: async (asking) => ({ user_id: (await userIds(asking)).id }) },
  'user_roles.create': { ids: async (asking) => ({ user_id: (await userIds(asking)).id }), body: granted },
  'user_roles.create#above': {
    ids: async (asking) => ({ user_id: (await userIds(asking)).id }),
    body: ({ source }) => ({ user_role: { role_id: 2, client_ids: [source.clientId] } }),
  },
  'user_roles.get': role(),
  'user_roles.update': role({ body: () => ({ user_role: readOnly }) }),
  'user_roles.destroy': role(),
}

async function userIds({ world, relation, target }: Asking): Promise<{ id: number }> {
  const place = placeOf(world.places, relation, target)
  const { id } = await makePerson(world.db, 'client_user', narrowedTo(place))
  return { id }
}

async function guardedIds(asking: Asking): Promise<{ id: number }> {
  const { id } = await userIds(asking)
  await guard(asking.world.db, id)
  return { id }
}

async function roleIds(asking: Asking): Promise<{ user_id: number; id: number }> {
  const { id } = await userIds(asking)
  return { user_id: id, id: await firstId(asking.world.db, 'user_roles', { user_id: id }) }
}

/** Makes a user of the provider's staff whose role is limited to the own client: visible there, and above everyone else there. */
async function aboveIds({ world, relation }: Asking): Promise<{ id: number }> {
  const { own, sibling } = world.places
  const clients = [relation === 'sibling' ? sibling.clientId : own.clientId]
  const { id } = await makePerson(world.db, 'muc_admin', { clients })
  await addRole(world.db, id, 'client_user', { clients })
  return { id }
}

function narrowedTo({ clientId, divisionId }: Place) {
  return { clients: [clientId], division: [[clientId, divisionId]] as const }
}

/** Users belong to no client: `crossed` is a foreign user, and `absent` is made anyway but not named. */
function placeOf(places: Asking['world']['places'], relation: Asking['relation'], target: Place): Place {
  if (relation === 'crossed') return places.foreign
  return relation === 'missing' || relation === 'absent' ? places.own : target
}
