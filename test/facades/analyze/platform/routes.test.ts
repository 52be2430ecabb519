/** One small application of each framework, and the routes a reader finds in it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

const files = {
  "express/app.js": `const express = require("express")
const users = require("./users")
const { BASE } = require("./paths")
const app = express()
const v1 = express.Router()
app.use(BASE, v1)
v1.use("/users", users)
v1.route("/books/:id").get(read).put(write)
app.get(["/a", "/b"], many)
function read() {}
function write() {}
function many() {}
module.exports = app
`,
  "express/paths.js": `exports.BASE = "/api"
`,
  "express/users.js": `const router = require("express").Router()
const ctl = require("./ctl")
router.get("/", ctl.list)
router.delete("/:id", guard, ctl.remove)
const cache = new Map()
cache.get("/not", ctl.list)
function guard() {}
module.exports = router
`,
  "express/ctl.js": `exports.list = () => {}
exports.remove = () => {}
`,
  "express/plugin.js": `const express = require("express")
const app = express()
require("./late")(app)
`,
  "express/late.js": `module.exports = function late(app) {
  app.post("/late", (req, res) => res.end())
}
`,
  "koa/app.js": `const Koa = require("koa")
const Router = require("@koa/router")
const app = new Koa()
const router = new Router({ prefix: "/koa" })
const nested = new Router()
nested.get("/deep", deep)
router.get("/plain", plain).use("/more", nested.routes())
app.use(router.routes())
async function plain() {}
async function deep() {}
`,
  "hono/app.ts": `import { Hono } from "hono"
const books = new Hono().get("/", (c) => c.text("")).on(["PUT", "PATCH"], "/:id", change)
const app = new Hono().basePath("/hono")
app.route("/books", books)
function change() {}
export default app
`,
  "fastify/app.ts": `import Fastify from "fastify"
import items from "./items"
const server = Fastify()
server.register(items, { prefix: "/items" })
server.register(async (instance) => { instance.get("/inner", async () => 1) }, { prefix: "/scope" })
server.route({ method: ["GET", "HEAD"], url: "/both", handler: both })
async function both() {}
`,
  "fastify/items.ts": `import type { FastifyInstance } from "fastify"
export default async function items(fastify: FastifyInstance) {
  fastify.get("/", { schema: {} }, async () => [])
  fastify.post("/new", create)
}
async function create() {}
`,
  "nest/main.ts": `import { NestFactory } from "@nestjs/core"
async function bootstrap() { const app = await NestFactory.create(Module); app.setGlobalPrefix("nest") }
`,
  "nest/cats.controller.ts": `import { Controller, Get, Post } from "@nestjs/common"
@Controller("cats")
export class CatsController {
  @Get() findAll() {}
  @Post(":id/feed") feed() {}
}
`,
  "nest/cats.resolver.ts": `import { Query, Resolver } from "@nestjs/graphql"
@Resolver()
export class CatsResolver {
  @Query(() => [Cat], { name: "cats" }) all() {}
}
`,
  "nest/chat.gateway.ts": `import { SubscribeMessage, WebSocketGateway } from "@nestjs/websockets"
@WebSocketGateway()
export class ChatGateway { @SubscribeMessage("say") say() {} }
`,
  "next/app/shop/[id]/route.ts": `export async function GET() {}
export const POST = async () => {}
`,
  "next/app/(marketing)/about/page.tsx": `export default function About() { return <p /> }
`,
  "next/pages/api/hello.ts": `import type { NextApiRequest } from "next"
export default function handler(req: NextApiRequest) {}
`,
  "kit/src/routes/items/[slug]/+server.ts": `export const GET = () => new Response()
`,
  "remix/app/routes/notes.$noteId.tsx": `import { json } from "@remix-run/node"
export const loader = () => json({})
export async function action() {}
export default function Note() { return <p /> }
`,
  "nuxt/server/api/users/[id].get.ts": `export default defineEventHandler(() => 1)
`,
  "flask/app.py": `from flask import Flask
from .books import books
def create_app():
    app = Flask(__name__)
    app.register_blueprint(books, url_prefix="/flask")
    return app
`,
  "flask/books.py": `from flask import Blueprint
books = Blueprint("books", __name__, url_prefix="/unused")
@books.route("/books", methods=["GET", "POST"])
def index():
    return ""
@books.delete("/books/<int:id>")
def remove(id):
    return ""
`,
  "fast/main.py": `from fastapi import FastAPI
from .items import router
app = FastAPI()
app.include_router(router, prefix="/fast")
@app.websocket("/live")
async def live(ws): ...
`,
  "fast/items.py": `from fastapi import APIRouter
router = APIRouter(prefix="/items")
@router.get("/{item_id}")
async def read_item(item_id: int): ...
`,
  "dj/urls.py": `from django.urls import include, path, re_path
from rest_framework.routers import DefaultRouter
from . import views
router = DefaultRouter()
router.register("cars", views.CarViewSet)
urlpatterns = [
    path("dj/about/<int:pk>/", views.about),
    re_path(r"^dj/old/(?P<slug>[\\w-]+)/$", views.Old.as_view()),
    path("dj/", include("dj.more")),
    path("dj/api/", include(router.urls)),
]
`,
  "dj/more.py": `from django.urls import path
from .views import more
urlpatterns = [path("more/", more)]
`,
  "dj/views.py": `from rest_framework import mixins, viewsets
from rest_framework.decorators import action
def about(request, pk): ...
def more(request): ...
class Old: ...
class CarViewSet(mixins.ListModelMixin, viewsets.GenericViewSet):
    lookup_field = "vin"
    def retrieve(self, request, vin): ...
    @action(detail=True, methods=["post"])
    def wash(self, request, vin): ...
`,
  "star/app.py": `from starlette.routing import Mount, Route
def home(request): ...
def deep(request): ...
routes = [Route("/star", home), Mount("/star/sub", routes=[Route("/deep", deep, methods=["POST"])])]
`,
  "go/gin.go": `package web
import "github.com/gin-gonic/gin"
func Gin() {
	r := gin.Default()
	v1 := r.Group("/gin")
	{
		v1.GET("/ping", ping)
		Users(v1.Group("/users"))
	}
}
func Users(rg *gin.RouterGroup) {
	rg.POST("/", auth, create)
}
func ping(c *gin.Context) {}
func auth(c *gin.Context) {}
func create(c *gin.Context) {}
`,
  "go/echo.go": `package web
import "github.com/labstack/echo/v4"
func Echo() {
	e := echo.New()
	g := e.Group("/echo")
	g.GET("/x", show, mw)
}
func show(c echo.Context) error { return nil }
`,
  "go/chi.go": `package web
import ("net/http"; "github.com/go-chi/chi/v5")
func Chi() {
	r := chi.NewRouter()
	r.Route("/chi", func(r chi.Router) {
		r.With(mw).Get("/{id}", one)
		r.Mount("/sub", sub())
	})
}
func sub() http.Handler {
	r := chi.NewRouter()
	r.Post("/", two)
	return r
}
func one(w http.ResponseWriter, r *http.Request) {}
func two(w http.ResponseWriter, r *http.Request) {}
`,
  "go/fiber.go": `package web
import "github.com/gofiber/fiber/v2"
func Fiber() {
	app := fiber.New()
	api := app.Group("/fiber")
	api.Get("/:id", func(c *fiber.Ctx) error { return nil })
}
`,
  "go/mux.go": `package web
import ("net/http"; "github.com/gorilla/mux")
func Mux() {
	r := mux.NewRouter()
	s := r.PathPrefix("/mux").Subrouter()
	s.HandleFunc("/{key}", three).Methods("GET", "PUT")
}
func three(w http.ResponseWriter, r *http.Request) {}
`,
  "go/std.go": `package web
import "net/http"
func Std() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /std/{id}", four)
	http.HandleFunc("/std/default", four)
}
func four(w http.ResponseWriter, r *http.Request) {}
`,
  "jvm/PetController.java": `package jvm;
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/spring/pets")
public class PetController {
  @GetMapping({"", "/all"}) public String list() { return ""; }
  @RequestMapping(value = "/{id}", method = RequestMethod.DELETE) public void remove() {}
}
`,
  "jvm/Hello.java": `package jvm;
import jakarta.ws.rs.*;
@Path("/jax")
public class Hello {
  @GET @Path("{name}") public String hello() { return ""; }
}
`,
  "jvm/Routes.kt": `package jvm
import io.ktor.server.routing.*
fun Application.module() {
  routing {
    route("/ktor") {
      get("/x") { call.respond(1) }
      orders()
    }
  }
}
fun Route.orders() {
  post("/orders") { }
}
`,
  "net/OrdersController.cs": `using Microsoft.AspNetCore.Mvc;
[ApiController]
[Route("net/[controller]")]
public class OrdersController : ControllerBase {
  [HttpGet("{id:int}")]
  public IActionResult Get(int id) => Ok();
  [HttpPost, Authorize]
  public IActionResult Create() => Ok();
}
`,
  "net/Program.cs": `var app = WebApplication.CreateBuilder(args).Build();
var todos = app.MapGroup("/minimal");
todos.MapGet("/{id}", async Task<IResult> (int id) => Results.Ok());
todos.MapPost("/", Save);
`,
  "rb/config/routes.rb": `Rails.application.routes.draw do
  root to: "home#index"
  namespace :admin do
    resources :posts, only: %i[index show] do
      member { post :publish }
      get :recent, on: :collection
    end
  end
  resource :session, only: [:create]
  get "/rails/health", to: "health#show"
end
`,
  "rb/app/controllers/admin/posts_controller.rb": `module Admin
  class PostsController
    def index; end
    def show; end
    def publish; end
  end
end
`,
  "rb/app.rb": `require "sinatra"
get "/sinatra/:name" do
  "hi"
end
`,
  "php/routes/api.php": `<?php
use App\\Http\\Controllers\\PhotoController;
Route::middleware('auth')->prefix('laravel')->group(function () {
    Route::get('photos/{id}', [PhotoController::class, 'show']);
    Route::apiResource('albums', 'AlbumController')->only(['index', 'destroy']);
});
`,
  "php/PhotoController.php": `<?php
class PhotoController { public function show($id) {} }
`,
  "php/BlogController.php": `<?php
use Symfony\\Component\\Routing\\Attribute\\Route;
#[Route('/symfony')]
class BlogController {
    #[Route('/{slug}', name: 'show', methods: ['GET'])]
    public function show(string $slug) {}
}
`,
  "rs/axum.rs": `use axum::{routing::{get, post}, Router};
pub fn app() -> Router {
    Router::new().nest("/axum", users()).route("/axum", get(root))
}
fn users() -> Router {
    Router::new().route("/users/:id", get(show_user).delete(remove_user))
}
async fn root() {}
async fn show_user() {}
async fn remove_user() {}
`,
  "rs/actix.rs": `use actix_web::{get, web, App};
#[get("/hello")]
async fn hello() {}
async fn manual() {}
fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(web::resource("/conf").route(web::post().to(manual)));
}
fn main() {
    App::new().service(web::scope("/actix").service(hello).configure(config));
}
`,
  "rs/rocket.rs": `#[macro_use] extern crate rocket;
#[get("/<id>")]
fn rocket_get(id: u32) {}
#[launch]
fn rocket() -> _ { rocket::build().mount("/rocket", routes![rocket_get]) }
`,
  "rpc/shop.proto": `syntax = "proto3";
package shop.v1;
service Shop {
  rpc GetItem (GetItemRequest) returns (Item);
}
`,
  "rpc/shop.thrift": `service Stock {
  i32 count(1: string sku),
}
`,
  "rpc/schema.graphql": `type Query {
  item(id: ID!): Item
}
type Mutation { addItem(name: String!): Item }
type Item { id: ID! }
`,
  "ws/server.ts": `import { WebSocketServer } from "ws"
export const wss = new WebSocketServer({ path: "/socket" })
`
}

const expected = `
actix GET /actix/hello rs/actix.rs::hello
actix POST /actix/conf rs/actix.rs::manual
asp.net GET /minimal/{id} inline
asp.net GET /net/Orders/{id:int} net/OrdersController.cs::OrdersController.Get
asp.net POST /minimal Save
asp.net POST /net/Orders net/OrdersController.cs::OrdersController.Create
axum DELETE /axum/users/:id rs/axum.rs::remove_user
axum GET /axum rs/axum.rs::root
axum GET /axum/users/:id rs/axum.rs::show_user
chi GET /chi/{id} go/chi.go::one
chi POST /chi/sub go/chi.go::two
django ANY /dj/about/{pk}/ dj/views.py::about
django ANY /dj/more/ dj/views.py::more
django ANY /dj/old/{slug}/ dj/views.py::Old
django GET /dj/api/cars/ dj/views.py::CarViewSet
django GET /dj/api/cars/{vin}/ dj/views.py::CarViewSet.retrieve
django POST /dj/api/cars/{vin}/wash/ dj/views.py::CarViewSet.wash
echo GET /echo/x go/echo.go::show
express DELETE /api/users/:id express/ctl.js::remove
express GET /a express/app.js::many
express GET /api/books/:id express/app.js::read
express GET /api/users express/ctl.js::list
express POST /late inline
express PUT /api/books/:id express/app.js::write
fastapi GET /fast/items/{item_id} fast/items.py::read_item
fastapi WS /live fast/main.py::live
fastify GET /both fastify/app.ts::both
fastify GET /items inline
fastify GET /scope/inner inline
fastify HEAD /both fastify/app.ts::both
fastify POST /items/new fastify/items.ts::create
fiber GET /fiber/:id inline
flask DELETE /flask/books/<int:id> flask/books.py::remove
flask GET /flask/books flask/books.py::index
flask POST /flask/books flask/books.py::index
gin GET /gin/ping go/gin.go::ping
gin POST /gin/users go/gin.go::create
gorilla GET /mux/{key} go/mux.go::three
gorilla PUT /mux/{key} go/mux.go::three
graphql mutation addItem
graphql query item
grpc rpc shop.v1.Shop/GetItem
hono GET /hono/books inline
hono PATCH /hono/books/:id hono/app.ts::change
hono PUT /hono/books/:id hono/app.ts::change
jax-rs GET /jax/{name} jvm/Hello.java::Hello.hello
koa GET /koa/more/deep koa/app.js::deep
koa GET /koa/plain koa/app.js::plain
ktor GET /ktor/x inline
ktor POST /ktor/orders inline
laravel DELETE /api/laravel/albums/{album} AlbumController#destroy
laravel GET /api/laravel/albums AlbumController#index
laravel GET /api/laravel/photos/{id} php/PhotoController.php::PhotoController.show
nestjs GET /nest/cats nest/cats.controller.ts::CatsController.findAll
nestjs POST /nest/cats/:id/feed nest/cats.controller.ts::CatsController.feed
nestjs message say nest/chat.gateway.ts::ChatGateway.say
nestjs query cats nest/cats.resolver.ts::CatsResolver.all
net/http ANY /std/default go/std.go::four
net/http GET /std/{id} go/std.go::four
next ANY /api/hello next/pages/api/hello.ts::handler
next GET /about next/app/(marketing)/about/page.tsx::About
next GET /shop/:id next/app/shop/[id]/route.ts::GET
next POST /shop/:id next/app/shop/[id]/route.ts::POST
nuxt GET /api/users/:id
rails GET / HomeController#index
rails GET /admin/posts rb/app/controllers/admin/posts_controller.rb::Admin.PostsController.index
rails GET /admin/posts/:id rb/app/controllers/admin/posts_controller.rb::Admin.PostsController.show
rails GET /admin/posts/recent
rails GET /rails/health HealthController#show
rails POST /admin/posts/:id/publish rb/app/controllers/admin/posts_controller.rb::Admin.PostsController.publish
rails POST /session SessionsController#create
remix GET /notes/:noteId remix/app/routes/notes.$noteId.tsx::loader
remix POST /notes/:noteId remix/app/routes/notes.$noteId.tsx::action
rocket GET /rocket/<id> rs/rocket.rs::rocket_get
sinatra GET /sinatra/:name inline
spring DELETE /spring/pets/{id} jvm/PetController.java::PetController.remove
spring GET /spring/pets jvm/PetController.java::PetController.list
spring GET /spring/pets/all jvm/PetController.java::PetController.list
starlette GET /star star/app.py::home
starlette POST /star/sub/deep star/app.py::deep
sveltekit GET /items/:slug kit/src/routes/items/[slug]/+server.ts::GET
symfony GET /symfony/{slug} php/BlogController.php::BlogController.show
thrift rpc Stock/count
websocket WS /socket inline
`
  .trim()
  .split("\n")

/** Handlers that are not the point of a line are left out of it. */
const shown = (row: Value, lines: ReadonlySet<string>): string => {
  const head = `${row["framework"]} ${row["method"]} ${row["path"]}`
  if (lines.has(head)) return head
  return `${head} ${row["handler_kind"] === "inline" ? "inline" : row["handler"]}`
}

describe("routes of frameworks", () => {
  it.scopedLive(
    "are those that a reader finds, with their prefixes and handlers",
    () =>
      Effect.gen(function* () {
        const at = yield* served(files)
        const { routes } = yield* at.call("analyze", { kind: "routes", output: { limit: 500, max_bytes: 0 } })
        const lines = new Set(expected)
        assert.deepStrictEqual(routes.map((row: Value) => shown(row, lines)).sort(), [...expected].sort())
      }),
    60_000
  )
})
