/** The passes that look for routes, in the order they are listed in. */
import type { Pass } from "../Pass.ts"
import { actix } from "./actix.ts"
import { aiohttp } from "./aiohttp.ts"
import { aspnet } from "./aspnet.ts"
import { axum } from "./axum.ts"
import { django } from "./django.ts"
import { express } from "./express.ts"
import { fastapi } from "./fastapi.ts"
import { fastify } from "./fastify.ts"
import { astro, next, nuxt, remix, sveltekit } from "./files.ts"
import { flask } from "./flask.ts"
import { chi, echo, fiber, gin, goGroups, gorilla, nethttp } from "./go.ts"
import { graphqlCode, graphqlPython, graphqlSchema } from "./graphql.ts"
import { hono } from "./hono.ts"
import { jaxrs } from "./jaxrs.ts"
import { koa } from "./koa.ts"
import { ktor } from "./ktor.ts"
import { laravel } from "./laravel.ts"
import { nestjs } from "./nestjs.ts"
import { rails } from "./rails.ts"
import { rocket } from "./rocket.ts"
import { grpc, thrift } from "./rpc.ts"
import { sinatra } from "./sinatra.ts"
import { slim } from "./slim.ts"
import { websocket } from "./sockets.ts"
import { spring } from "./spring.ts"
import { starlette } from "./starlette.ts"
import { symfony } from "./symfony.ts"

export const routePasses: ReadonlyArray<Pass> = [
  actix,
  aiohttp,
  aspnet,
  astro,
  axum,
  chi,
  django,
  echo,
  express,
  fastapi,
  fastify,
  fiber,
  flask,
  gin,
  goGroups,
  gorilla,
  graphqlCode,
  graphqlPython,
  graphqlSchema,
  grpc,
  hono,
  jaxrs,
  koa,
  ktor,
  laravel,
  nestjs,
  nethttp,
  next,
  nuxt,
  rails,
  remix,
  rocket,
  sinatra,
  slim,
  spring,
  starlette,
  sveltekit,
  symfony,
  thrift,
  websocket
]
