/** A small service in Go and TypeScript with tests, prose and data around it. */
export const sample: { readonly [path: string]: string } = {
  "go.mod": "module example.com/shop\n\ngo 1.22\n",
  "README.md": "# Shop\n\nSessions expire after an hour. Renewal extends the session lifetime.\n",
  "session/store.go": `package session

import (
	"errors"
	"time"
)

// ErrExpired is answered for sessions past their lifetime.
var ErrExpired = errors.New("session token has expired")

// Store keeps sessions until they expire.
type Store struct {
	lifetime time.Duration
	byToken  map[string]*Session
}

// Session is one login of one user.
type Session struct {
	Token   string
	Expires time.Time
}

// Renew extends the lifetime of a session.
func (s *Store) Renew(token string, now time.Time) error {
	found := s.lookup(token)
	if found == nil || now.After(found.Expires) {
		return ErrExpired
	}
	found.Expires = now.Add(s.lifetime)
	return nil
}

func (s *Store) lookup(token string) *Session {
	return s.byToken[token]
}
`,
  "session/store_test.go": `package session

import (
	"testing"
	"time"
)

func TestRenewAfterExpiry(t *testing.T) {
	s := &Store{}
	if err := s.Renew("gone", time.Now()); err != ErrExpired {
		t.Fatal(err)
	}
}
`,
  "api/handler.go": `package api

import (
	"time"

	"example.com/shop/session"
)

// Handler answers requests about sessions.
type Handler struct {
	store *session.Store
}

// HandleRenew is the endpoint that browsers call to stay logged in.
func (h *Handler) HandleRenew(token string) error {
	return h.store.Renew(token, time.Now())
}
`,
  "cart/cart.go": `package cart

// Cart holds what a customer is about to buy.
type Cart struct{ items []Item }

// Item is one line of a cart.
type Item struct{ Price int }

// Total adds up the prices of all items, taxes included.
func (c *Cart) Total(tax int) int {
	sum := 0
	for _, item := range c.items {
		sum += item.Price
	}
	return sum + sum*tax/100
}

// Discount takes a share off the total.
func (c *Cart) Discount(share int) int { return c.Total(0) * (100 - share) / 100 }
`,
  "cart/cart_test.go": `package cart

import "testing"

func TestTotal(t *testing.T) {
	c := &Cart{}
	if c.Total(10) != 0 {
		t.Fatal("not empty")
	}
}
`,
  "config/a.json": '{ "session": { "lifetime": 1, "renew": true } }\n',
  "config/b.json": '{ "session": { "lifetime": 2, "renew": true } }\n',
  "config/c.json": '{ "session": { "lifetime": 3, "renew": true } }\n'
}
