#include <ode/ode.h>

#include "solids/constraints.h"

#include "base/real.h"

#include <pthread.h>
#include <stdlib.h>

/* Shares of an error of a joint's place, and of an end that it has overrun, that are mended in a step. */
#define MEND 0.2
/* How soft constraints are, in units of the scene's: what keeps those that say the same thing twice apart. */
#define SOFTNESS 1e-6

struct constraints {
    dWorldID world;
    dBodyID *body; /* one a solid */
    dJointGroupID contacts;
    const dew_joint_def *joints; /* copied */
    dJointID *joint, *motor;     /* 0: none */
    int count, joint_count;
    double length, mass;
};

static void begin_ode(void) { dInitODE2(0); }

/* --- units --- */

static void put_body(const constraints *c, int k, const constrained *s, double dt)
{
    dBodyID b = c->body[k];
    dMatrix3 turn;
    dMass m;
    double l = c->length, spin = dt, speed = dt / l;
    for (int i = 0; i < 3; i++) /* columns are the axes */
        turn[i] = vec3_at(s->axis[i], 0), turn[4 + i] = vec3_at(s->axis[i], 1), turn[8 + i] = vec3_at(s->axis[i], 2);
    turn[3] = turn[7] = turn[11] = 0;
    dBodySetPosition(b, s->place.x / l, s->place.y / l, s->place.z / l);
    dBodySetRotation(b, turn);
    if (s->is_free) {
        double unit = c->mass * l * l;
        dMassSetParameters(&m, s->mass / c->mass, 0, 0, 0, s->inertia[0] / unit, s->inertia[1] / unit,
                           s->inertia[2] / unit, 0, 0, 0);
        dBodySetDynamic(b);
        dBodySetMass(b, &m);
    } else {
        dBodySetKinematic(b);
    }
    dBodySetLinearVel(b, speed * s->velocity.x, speed * s->velocity.y, speed * s->velocity.z);
    dBodySetAngularVel(b, spin * s->spin.x, spin * s->spin.y, spin * s->spin.z);
    dBodyEnable(b);
}

static void take_body(const constraints *c, int k, constrained *s, double dt)
{
    const dReal *v = dBodyGetLinearVel(c->body[k]), *w = dBodyGetAngularVel(c->body[k]);
    s->velocity = vec3_scale(c->length / dt, (dew_vec3){v[0], v[1], v[2]});
    s->spin = vec3_scale(1 / dt, (dew_vec3){w[0], w[1], w[2]});
}

/* --- joints --- */

static void set_ends(dJointID joint, void (*set)(dJointID, int, dReal), double from, double to)
{
    set(joint, dParamLoStop, from);
    set(joint, dParamHiStop, to);
}

static void make_joint(constraints *c, int k)
{
    const dew_joint_def *j = &c->joints[k];
    dBodyID first = c->body[j->first], second = j->second < 0 ? 0 : c->body[j->second];
    dew_vec3 at = vec3_scale(1 / c->length, j->anchor), axis = vec3_normalise(j->axis);
    dJointID joint;
    switch (j->kind) {
    case DEW_JOINT_BALL:
        joint = dJointCreateBall(c->world, 0);
        dJointAttach(joint, first, second);
        dJointSetBallAnchor(joint, at.x, at.y, at.z);
        break;
    case DEW_JOINT_SLIDER:
        joint = dJointCreateSlider(c->world, 0);
        dJointAttach(joint, first, second);
        dJointSetSliderAxis(joint, axis.x, axis.y, axis.z);
        if (j->has_range) set_ends(joint, dJointSetSliderParam, j->range.from / c->length, j->range.to / c->length);
        break;
    default:
        joint = dJointCreateHinge(c->world, 0);
        dJointAttach(joint, first, second);
        dJointSetHingeAnchor(joint, at.x, at.y, at.z);
        dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
        if (j->has_angles) set_ends(joint, dJointSetHingeParam, j->angles.from, j->angles.to);
    }
    c->joint[k] = joint;
}

/* ODE has one row for the end of a joint and its motor, and drives one that stands at an end away from it by all of the
 * motor's force: a motor is a joint of its own, of one row. */
static void make_motor(constraints *c, int k)
{
    const dew_joint_def *j = &c->joints[k];
    bool turns = j->kind == DEW_JOINT_HINGE && j->has_motor, slides = j->kind == DEW_JOINT_SLIDER && j->has_drive;
    dew_vec3 axis = vec3_normalise(j->axis);
    if (!turns && !slides) return;
    dJointID motor = c->motor[k] = turns ? dJointCreateAMotor(c->world, 0) : dJointCreateLMotor(c->world, 0);
    dJointAttach(motor, c->body[j->first], j->second < 0 ? 0 : c->body[j->second]);
    (turns ? dJointSetAMotorNumAxes : dJointSetLMotorNumAxes)(motor, 1);
    (turns ? dJointSetAMotorAxis : dJointSetLMotorAxis)(motor, 0, 1, axis.x, axis.y, axis.z);
}

/* The way of a step, if no end comes first. */
static double way_to_end(double way, double at, double from, double to)
{
    return fmin(fmax(way, fmin(from - at, 0)), fmax(to - at, 0));
}

bool constraints_have_ended(const dew_joint_def *j, const constrained *all)
{
    return all[j->first].is_removed || (j->second >= 0 && all[j->second].is_removed);
}

static void end_joints(const constraints *c, const constrained *all)
{
    for (int k = 0; k < c->joint_count; k++) {
        const dew_joint_def *j = &c->joints[k];
        void (*turn)(dJointID) = constraints_have_ended(j, all) ? dJointDisable : dJointEnable;
        turn(c->joint[k]);
        if (c->motor[k]) turn(c->motor[k]);
    }
}

/* A motor's speed and its largest force, in the units of this step. */
static void drive(const constraints *c, double dt)
{
    double force = c->mass * c->length / (dt * dt), l = c->length;
    for (int k = 0; k < c->joint_count; k++) {
        const dew_joint_def *j = &c->joints[k];
        if (!c->motor[k]) continue;
        if (j->kind == DEW_JOINT_HINGE) {
            double way = j->motor.speed * dt, at = dJointGetHingeAngle(c->joint[k]);
            if (j->has_angles) way = way_to_end(way, at, j->angles.from, j->angles.to);
            dJointSetAMotorParam(c->motor[k], dParamVel, way);
            dJointSetAMotorParam(c->motor[k], dParamFMax, j->motor.torque / (force * l));
        } else {
            double way = j->drive.speed * dt / l, at = dJointGetSliderPosition(c->joint[k]);
            if (j->has_range) way = way_to_end(way, at, j->range.from / l, j->range.to / l);
            dJointSetLMotorParam(c->motor[k], dParamVel, way);
            dJointSetLMotorParam(c->motor[k], dParamFMax, j->drive.force / force);
        }
    }
}

/* --- making --- */

static dew_result no_memory(void) { return result_fail(DEW_NO_MEMORY, "no memory for contacts and joints"); }

static dew_result make(constraints *c, const dew_joint_def *joints, const constrained *all)
{
    dew_joint_def *copies = calloc((size_t)c->joint_count + 1, sizeof *copies);
    c->joints = copies;
    c->body = calloc((size_t)c->count, sizeof *c->body);
    c->joint = calloc((size_t)c->joint_count + 1, sizeof *c->joint);
    c->motor = calloc((size_t)c->joint_count + 1, sizeof *c->motor);
    c->world = dWorldCreate();
    c->contacts = dJointGroupCreate(0);
    if (!copies || !c->body || !c->joint || !c->motor || !c->world || !c->contacts) return no_memory();
    dWorldSetERP(c->world, MEND);
    dWorldSetCFM(c->world, SOFTNESS);
    dWorldSetAutoDisableFlag(c->world, 0);
    for (int k = 0; k < c->count; k++) {
        if (!(c->body[k] = dBodyCreate(c->world))) return no_memory();
        dBodySetGyroscopicMode(c->body[k], 0); /* which body.c has */
        put_body(c, k, &all[k], 1);
    }
    for (int k = 0; k < c->joint_count; k++) copies[k] = joints[k], make_joint(c, k), make_motor(c, k);
    return DEW_OK;
}

dew_result constraints_create(constraints **made, const dew_joint_def *joints, int joint_count, const constrained *all,
                              int count, double length, double mass)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin_ode);
    constraints *c = *made = calloc(1, sizeof *c);
    if (!c) return no_memory();
    *c = (constraints){.count = count, .joint_count = joint_count, .length = length, .mass = mass};
    dew_result result = make(c, joints, all);
    if (result == DEW_OK) return DEW_OK;
    constraints_destroy(c);
    *made = NULL;
    return result;
}

void constraints_destroy(constraints *c)
{
    if (!c) return;
    if (c->contacts) dJointGroupDestroy(c->contacts);
    if (c->world) dWorldDestroy(c->world); /* and all in it */
    free((void *)c->joints);
    free(c->joint);
    free(c->motor);
    free(c->body);
    free(c);
}

/* --- solving --- */

/* ODE holds the normal velocity to `motionN`, and friction to a pyramid of the normal force. */
static void add_contact(const constraints *c, const contact_point *p, double dt)
{
    dContact contact = {.surface = {.mode = dContactMotionN | dContactApprox1, .mu = p->friction}};
    contact.surface.motionN = p->least * dt / c->length;
    for (int i = 0; i < 3; i++) {
        contact.geom.pos[i] = vec3_at(p->point, i) / c->length;
        contact.geom.normal[i] = vec3_at(p->normal, i);
    }
    dJointAttach(dJointCreateContact(c->world, c->contacts, &contact), c->body[p->first], c->body[p->second]);
}

/* ODE prints, of systems that it solves nonetheless, "LCP internal error". */
static void say_nothing(int number, const char *text, va_list more) { (void)number, (void)text, (void)more; }

void constraints_solve(constraints *c, constrained *all, const contact_point *contacts, int contact_count, double dt)
{
    for (int k = 0; k < c->count; k++) put_body(c, k, &all[k], dt);
    end_joints(c, all), drive(c, dt);
    for (int k = 0; k < contact_count; k++) add_contact(c, &contacts[k], dt);
    dMessageFunction *before = dGetMessageHandler();
    dSetMessageHandler(say_nothing);
    dWorldStep(c->world, 1);
    dSetMessageHandler(before);
    for (int k = 0; k < c->count; k++)
        if (all[k].is_free) take_body(c, k, &all[k], dt);
    dJointGroupEmpty(c->contacts);
}
