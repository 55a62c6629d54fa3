import * as z from '../platform/zod.ts'
import { one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fileRef } from '../platform/files.ts'
import { languages } from '../platform/languages.ts'
import { phoneNumber, userPhotoFiles } from './users.ts'

const profile = z.strictObject({
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  photo: fileRef.nullable(),
  language: z.enum(languages).nullable(),
})
export type DriverProfile = z.infer<typeof profile>

const access = {
  module: ['schedule', 'userSchedule', 'dailySchedule'],
  needs: 'view',
  except: ['admin', 'sales', 'client'],
} as const

/** What a driver changes about their own account on the phone. */
export const driverProfile = {
  get: endpoint({
    method: 'GET',
    path: 'driver-app/profile',
    access,
    keys: false,
    ownRows: 'account',
    summary: 'The driver’s own profile.',
    added: true,
    reply: one(profile),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'driver-app/profile',
    access,
    keys: false,
    ownRows: 'account',
    summary: 'Changes the driver’s own phone number, language or photo. What is not given stays as it is.',
    added: true,
    body: z.strictObject({
      phone: phoneNumber.optional(),
      language: z.enum(languages, 'Choose en or es.').nullable().optional(),
      /** Removes the photo; a file in the same call replaces it. */
      isPhotoRemoved: z.literal(true).optional(),
    }),
    files: userPhotoFiles,
    repeatable: true,
    reply: one(profile),
  }),
}
