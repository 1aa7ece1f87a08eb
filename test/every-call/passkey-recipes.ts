/** Recipes for the calls of passkeys, with an authenticator of our own. */
import { randomBytes } from 'node:crypto'
import { boundToDevice, makePasskeyChallenge } from '../../src/server/access/passkey-challenge.ts'
import { makeChallenge } from '../../src/server/access/second-factor-challenge.ts'
import { testSecretKey } from '../support/app.ts'
import { makePasskey, usePasskey, type SoftPasskey } from '../support/authenticator.ts'
import type { Asking, Recipes } from './recipe.ts'
import { insert, unique, type Db } from './world.ts'

/** The host of requests that are injected. */
const rpId = 'localhost'
const origin = 'http://localhost'
const base64 = (text: string) => Buffer.from(text).toString('base64url')

export const passkeyRecipes: Recipes = {
  'auth.passkey_sign_in': {
    body: async ({ world: { db } }) => {
      const { passkey } = await holder(db)
      const challenge = base64(makePasskeyChallenge(testSecretKey, 'passkey_sign_in', boundToDevice('')))
      return { credential: usePasskey(passkey, { challenge, rpId }, origin) }
    },
  },
  'auth.second_factor_passkey': {
    body: async ({ world: { db } }) => {
      const { id, passkey } = await holder(db)
      const { challenge } = makeChallenge(testSecretKey, 'second_factor', { id, password_hash: null })
      return { challenge, credential: usePasskey(passkey, { challenge: base64(challenge), rpId }, origin) }
    },
  },
  'users.create_passkey': { body: () => ({ name: unique('Passkey'), credential: madeFor(1).credential }) },
  'users.rename_passkey': { ids: passkeyIds, body: () => ({ name: unique('Passkey') }) },
  'users.remove_passkey': { ids: passkeyIds },
}

function madeFor(userId: number) {
  return makePasskey({ challenge: 'none', rp: { id: rpId }, user: { id: base64(String(userId)) } }, origin)
}

async function keep(db: Db, userId: number): Promise<{ id: number; passkey: SoftPasskey }> {
  const { passkey, publicKey } = madeFor(userId)
  const row = { user_id: userId, name: unique('Passkey'), credential_id: passkey.id, public_key: Buffer.from(publicKey), backed_up: false }
  return { id: await insert(db, 'passkeys', row), passkey }
}

async function holder(db: Db): Promise<{ id: number; passkey: SoftPasskey }> {
  const name = `holder-${randomBytes(6).toString('hex')}`
  const id = await insert(db, 'users', { email: `${name}@example.test`, username: name, account_confirmed: true })
  return { id, passkey: (await keep(db, id)).passkey }
}

async function passkeyIds({ world: { db }, owner }: Asking) {
  return { id: (await keep(db, owner)).id }
}
