export { hashPassword } from './passwords.ts'
export { openReset, openSession } from './queries.ts'
export { authRoutes } from './routes.ts'
export { attempt, type Limit, succeeded } from './throttle.ts'
