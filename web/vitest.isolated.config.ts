import { defineConfig } from 'vitest/config'
import { isolatedTests, resolve, shared } from './vitest.config.ts'

export default defineConfig({ resolve, test: { ...shared, name: 'web-isolated', include: isolatedTests } })
